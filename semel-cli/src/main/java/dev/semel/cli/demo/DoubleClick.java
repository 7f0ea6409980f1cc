package dev.semel.cli.demo;

import dev.semel.Ids;
import dev.semel.Key;
import dev.semel.cli.demo.Demo.Ending;
import dev.semel.event.EventListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.idempotency.Store;
import dev.semel.loop.Loop;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * A payment button that is pressed twice, a response that is lost, and a key that is used for
 * another amount.
 */
final class DoubleClick {
  private static final long PRICE = 49_90;
  private static final long OTHER_PRICE = 99_00;

  /** Nothing here takes long; a store that hangs must not hang the demo. */
  private static final int LIMIT_SECONDS = 30;

  private final Narrator narrator;
  private final Idempotency idempotency;
  private final Key key = Key.of("demo", "payment-" + Ids.uuid7());
  private final Bank without = new Bank();
  private final Bank with = new Bank();

  private DoubleClick(Narrator narrator, Idempotency idempotency) {
    this.narrator = narrator;
    this.idempotency = idempotency;
  }

  static Ending play(Store store, Narrator narrator) throws InterruptedException {
    try (Idempotency idempotency = new Idempotency(store, EventListener.NONE)) {
      return new DoubleClick(narrator, idempotency).play();
    }
  }

  private Ending play() throws InterruptedException {
    narrator.aside("The page has drawn a key for this order, and sends it with every try:");
    narrator.aside("  " + key);
    twoClicks();
    narrator.step("The connection breaks before the receipt arrives. The page tries again.");
    narrator.beside("retry    " + unguarded(PRICE), "retry    " + told(pay(PRICE), PRICE));
    narrator.aside("Replayed: it had been done, so the answer is the first one's, byte for byte.");
    narrator.step(
        "A bug in the page: the same key, but another amount: %s."
            .formatted(Bank.money(OTHER_PRICE)));
    narrator.beside(
        "bug      " + unguarded(OTHER_PRICE), "bug      " + told(pay(OTHER_PRICE), OTHER_PRICE));
    narrator.aside("Mismatch: a key belongs to one request, and this is another one.");
    return new Ending(
        "In the bank's ledger:",
        without.ledger().side(),
        with.ledger().side(),
        with.ledger().charges() == 1,
        Optional.of(key));
  }

  /** The second click comes while the first one is with the bank, whatever the machine's load. */
  private void twoClicks() throws InterruptedException {
    CountDownLatch firstIsRunning = new CountDownLatch(1);
    CountDownLatch secondWasAnswered = new CountDownLatch(1);
    CompletableFuture<Outcome<String>> first = new CompletableFuture<>();
    Loop.beside(
        "first-click",
        () -> {
          try {
            first.complete(
                idempotency.execute(
                    key,
                    request(PRICE),
                    Codec.utf8(),
                    execution -> {
                      firstIsRunning.countDown();
                      await(secondWasAnswered);
                      return with.charge(PRICE);
                    }));
          } catch (RuntimeException e) {
            firstIsRunning.countDown();
            first.completeExceptionally(e);
          }
        });
    narrator.step(
        "A customer presses “Pay %s”. The bank takes its time …".formatted(Bank.money(PRICE)));
    await(firstIsRunning);
    narrator.beside("click 1  on its way to the bank", "click 1  on its way to the bank");
    narrator.step("… so the customer presses again.");
    narrator.beside("click 2  " + unguarded(PRICE), "click 2  " + told(pay(PRICE), PRICE));
    narrator.aside("In flight: click 1 holds the key, so click 2 does not run beside it.");
    secondWasAnswered.countDown();
    narrator.step("The bank answers the first click.");
    narrator.beside("click 1  " + unguarded(PRICE), "click 1  " + told(result(first), PRICE));
  }

  private Outcome<String> pay(long cents) {
    return idempotency.execute(key, request(cents), Codec.utf8(), execution -> with.charge(cents));
  }

  private static Fingerprint request(long cents) {
    return Fingerprint.of("{\"amount\":" + cents + "}");
  }

  private String unguarded(long cents) {
    return charged(without.charge(cents), cents);
  }

  private static String charged(String receipt, long cents) {
    return "charged %s: %s".formatted(Bank.money(cents), receipt);
  }

  private static String told(Outcome<String> outcome, long cents) {
    return switch (outcome) {
      case Outcome.Executed<String> e -> charged(e.result(), cents);
      case Outcome.Replayed<String> r -> "replayed: %s, no charge".formatted(r.result());
      case Outcome.InFlight<String> f -> "in flight: no charge";
      case Outcome.Mismatch<String> m -> "mismatch: no charge";
      case Outcome.Failed<String> f -> "failed: " + f.failure().message();
      case Outcome.InDoubt<String> d -> "in doubt: no charge";
    };
  }

  private static void await(CountDownLatch latch) {
    try {
      if (!latch.await(LIMIT_SECONDS, TimeUnit.SECONDS)) {
        throw new IllegalStateException("the demo is stuck");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static Outcome<String> result(CompletableFuture<Outcome<String>> outcome)
      throws InterruptedException {
    try {
      return outcome.get(LIMIT_SECONDS, TimeUnit.SECONDS);
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException r ? r : new IllegalStateException(e);
    } catch (TimeoutException e) {
      throw new IllegalStateException("the first click did not end", e);
    }
  }
}
