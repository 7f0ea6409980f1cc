package dev.semel.cli.demo;

import dev.semel.Key;
import dev.semel.cli.demo.DemoStories.Ending;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.KeyStrategies;
import dev.semel.idempotency.KeyStrategy;
import dev.semel.idempotency.Outcome;
import dev.semel.internal.Ids;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import java.util.Optional;

/** Story: a payment service that sends the same event until it gets an answer. */
final class WebhookSource {
  /** The sender numbers its deliveries, so bodies differ and only the event's id stays. */
  private static final KeyStrategy<String> BY_EVENT =
      KeyStrategies.own(
          body -> ((JsonString) ((JsonObject) Json.parse(body)).get("id").orElseThrow()).text(),
          id -> {});

  private final Narrator narrator;
  private final Idempotency idempotency;
  private final String event = "evt-" + Ids.uuid7();
  private final EffectTally without = new EffectTally("licence", "licences");
  private final EffectTally with = new EffectTally("licence", "licences");

  private WebhookSource(Narrator narrator, Idempotency idempotency) {
    this.narrator = narrator;
    this.idempotency = idempotency;
  }

  static Ending play(DemoStage stage) throws InterruptedException {
    try (Idempotency idempotency = new Idempotency(stage.store(), SemelListener.NONE)) {
      return new WebhookSource(stage.narrator(), idempotency).play();
    }
  }

  private Ending play() throws InterruptedException {
    narrator.aside("For each “invoice paid” the customer is sent a licence.");
    narrator.aside("Each body is different. Its event's id is not, and becomes the key:");
    narrator.aside("  " + body(1));
    narrator.aside("  " + key(body(1)));
    narrator.step("The event arrives. Making a licence takes its time …");
    PausedExecution first = PausedExecution.begin("first-delivery", middle -> deliver(1, middle));
    narrator.beside("delivery 1  being made", "delivery 1  being made");
    narrator.step("… too long for the sender: it sends the event again.");
    narrator.beside(
        "delivery 2  " + sent(without.happens()), "delivery 2  " + told(deliver(2, () -> {})));
    narrator.aside("In flight: delivery 1 has the key. The sender is told to try later.");
    narrator.step("Delivery 1 is done, but the sender no longer listens.");
    Outcome<String> outcome = first.goOn();
    narrator.beside("delivery 1  " + sent(without.happens()), "delivery 1  " + told(outcome));
    narrator.step("So it sends the event a third time.");
    narrator.beside(
        "delivery 3  " + sent(without.happens()), "delivery 3  " + told(deliver(3, () -> {})));
    narrator.aside("Replayed: the sender gets the first answer, and stops.");
    return new Ending(
        "In the customer's mailbox:",
        without.side(),
        with.side(),
        with.count() == 1,
        Optional.of(key(body(1))));
  }

  private String body(int delivery) {
    return Json.object().with("id", event).with("delivery", delivery).write();
  }

  private static Key key(String body) {
    return Key.of("demo", BY_EVENT.keying(body).id());
  }

  private Outcome<String> deliver(int delivery, Runnable middle) {
    return idempotency.execute(
        key(body(delivery)),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> {
          middle.run();
          return sent(with.happens());
        });
  }

  private static String sent(int number) {
    return "licence %d sent".formatted(number);
  }

  private static String told(Outcome<String> outcome) {
    return switch (outcome) {
      case Outcome.Executed<String> e -> e.result();
      case Outcome.Replayed<String> r -> "replayed: " + r.result();
      case Outcome.InFlight<String> f -> "in flight: nothing sent";
      case Outcome.Mismatch<String> m -> "mismatch: nothing sent";
      case Outcome.Failed<String> f -> "failed: " + f.failure().message();
      case Outcome.InDoubt<String> d -> "in doubt: nothing sent";
    };
  }
}
