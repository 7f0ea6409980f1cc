package dev.semel.example.plain;

import dev.semel.Key;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import java.io.IOException;
import java.time.Duration;

/** Has an order paid once, however often and by however many processes that is asked for. */
final class Payments {
  /** Short, so that the example need not wait long; 30 seconds is the default. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** Whoever comes while another is at it waits, instead of being told to come again. */
  private static final ExecutionPolicy POLICY =
      ExecutionPolicy.defaults().withLease(LEASE).withWaitUpTo(LEASE.multipliedBy(5));

  private final Idempotency idempotency;
  private final Bank bank;

  Payments(Idempotency idempotency, Bank bank) {
    this.idempotency = idempotency;
    this.bank = bank;
  }

  String pay(String order, long cents) throws IOException {
    Outcome<String> outcome =
        idempotency.execute(
            ExecutionRequest.of(Key.of("payment", order), Codec.utf8())
                .withFingerprint(Fingerprint.of(order + " " + cents))
                .withPolicy(POLICY),
            execution -> bank.charge(order, cents, execution.effectKey()));
    return switch (outcome) {
      case Outcome.Executed<String> e -> "paid: " + e.result();
      case Outcome.Replayed<String> r -> "was paid before: " + r.result();
      case Outcome.InFlight<String> f -> "someone is at it: ask again";
      case Outcome.Mismatch<String> m -> "refused: this key was used for another payment";
      case Outcome.Failed<String> f -> "failed for good: " + f.failure();
      case Outcome.InDoubt<String> d -> "in doubt: look into the bank's book, nobody else knows";
    };
  }
}
