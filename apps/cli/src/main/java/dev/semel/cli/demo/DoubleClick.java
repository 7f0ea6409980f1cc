package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.internal.Ids;
import java.util.Optional;

/**
 * Story: a payment button that is pressed twice, a response that is lost, and a key that is used
 * for another amount.
 */
final class DoubleClick {
  private static final long PRICE = 49_90;
  private static final long OTHER_PRICE = 99_00;

  private final Narrator narrator;
  private final Idempotency idempotency;
  private final Key key = Key.of("demo", "payment-" + Ids.uuid7());
  private final Bank without = new Bank();
  private final Bank with = new Bank();

  private DoubleClick(Narrator narrator, Idempotency idempotency) {
    this.narrator = narrator;
    this.idempotency = idempotency;
  }

  static Ending play(DemoStage stage) throws InterruptedException {
    try (Idempotency idempotency = new Idempotency(stage.store(), SemelListener.NONE)) {
      return new DoubleClick(stage.narrator(), idempotency).play();
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

  private void twoClicks() throws InterruptedException {
    PausedExecution first = PausedExecution.begin("first-click", this::payOnceLetGoOn);
    narrator.step(
        "A customer presses “Pay %s”. The bank takes its time …".formatted(Bank.money(PRICE)));
    narrator.beside("click 1  on its way to the bank", "click 1  on its way to the bank");
    narrator.step("… so the customer presses again.");
    narrator.beside("click 2  " + unguarded(PRICE), "click 2  " + told(pay(PRICE), PRICE));
    narrator.aside("In flight: click 1 holds the key, so click 2 does not run beside it.");
    narrator.step("The bank answers the first click.");
    Outcome<String> outcome = first.goOn();
    narrator.beside("click 1  " + unguarded(PRICE), "click 1  " + told(outcome, PRICE));
  }

  private Outcome<String> payOnceLetGoOn(Runnable middle) {
    return idempotency.execute(
        key,
        request(PRICE),
        Codec.utf8(),
        execution -> {
          middle.run();
          return with.charge(PRICE);
        });
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
}
