package dev.semel.example.plain;

import dev.semel.Semel;
import dev.semel.idempotency.Outcome;
import java.time.Duration;

/** Has an order paid once, however many times and processes ask for it. */
final class Payments {
  /** Short, so that the example ends soon; 30 seconds is the default. */
  static final Duration LEASE = Duration.ofSeconds(2);

  /** A duplicate waits this long for the first result, instead of getting "in flight". */
  private static final Duration WAIT = LEASE.multipliedBy(5);

  private final Semel semel;
  private final Bank bank;

  Payments(Semel semel, Bank bank) {
    this.semel = semel;
    this.bank = bank;
  }

  String pay(String order, long cents) throws Exception {
    Outcome<String> outcome =
        semel
            .once("payment", order)
            .request(order + " " + cents)
            .lease(LEASE)
            .waitUpTo(WAIT)
            .call(execution -> bank.charge(order, cents, execution.effectKey()));
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
