package dev.semel.tck.messages;

import static dev.semel.tck.messages.InboxContract.freshConsumer;
import static dev.semel.tck.messages.InboxContract.message;
import static dev.semel.tck.messages.InboxContract.messages;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.inbox.spi.InboxOperations.ConsumerStatus;
import dev.semel.tck.Racers;
import dev.semel.tck.messages.InboxUnderTest.Handling;
import dev.semel.tck.messages.InboxUnderTest.Patience;
import dev.semel.tck.messages.InboxUnderTest.Worker;
import dev.semel.transport.Message;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** What an inbox promises to an operator who edits a dead letter. */
abstract class InboxEditContract {
  static final Duration PAUSE = Duration.ofMillis(200);
  static final Patience PATIENT = new Patience(3, PAUSE, Duration.ofMinutes(1));

  /** Provided by the engine's test; all tests of a class may share it. */
  protected abstract InboxUnderTest inbox();

  Worker worker(String consumer, Handling handling) {
    return inbox().worker(consumer, handling, PATIENT);
  }

  static Handling writing(String consumer) {
    return (effects, message) -> effects.write(consumer + '/' + message.id());
  }

  List<String> effects(String consumer) {
    return inbox().effects(consumer + '/').stream()
        .map(what -> what.substring(consumer.length() + 1))
        .toList();
  }

  static void runAll(Worker worker) {
    while (worker.runOnce(10) > 0) {
      // until nothing is due
    }
  }

  ConsumerStatus status(String consumer) {
    return inbox().operations().status().consumers().stream()
        .filter(each -> each.consumer().equals(consumer))
        .findFirst()
        .orElseThrow();
  }

  /** A handler that rejects unedited messages, and records edited ones. */
  private static Handling mendedOnly(String consumer) {
    return (effects, message) -> {
      String text = new String(message.payload(), StandardCharsets.UTF_8);
      if (!text.startsWith("mended")) {
        throw new MessageRejected("not mended");
      }
      effects.write(consumer + '/' + message.id() + ' ' + text);
    };
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void editedDeadLetterTakesEffectOnceUnderItsIdAndBehindThoseOfItsKey() {
    String consumer = freshConsumer();
    Message first =
        message("a").withOrderingKey("k").withType("created").withHeader("note", "{\"a\"}");
    List<Message> seen = new ArrayList<>();
    Worker worker =
        worker(
            consumer,
            (effects, message) -> {
              seen.add(message);
              mendedOnly(consumer).handle(effects, message);
            });
    inbox().storing(consumer).take(List.of(first));
    runAll(worker);
    inbox()
        .storing(consumer)
        .take(List.of(new Message("b", "orders", "k", "", bytes("mended before"), Map.of())));
    assertThat(inbox().operations().find(consumer, "a").orElseThrow())
        .usingRecursiveComparison()
        .isEqualTo(first);
    assertThat(inbox().operations().retry(consumer, "a", bytes("mended"))).isTrue();
    runAll(worker);
    assertThat(effects(consumer)).containsExactly("b mended before", "a mended");
    assertThat(seen.getLast())
        .usingRecursiveComparison()
        .isEqualTo(
            new Message(
                "a", first.destination(), "k", "created", bytes("mended"), first.headers()));
    assertThat(status(consumer).dead()).isZero();
    assertThat(inbox().storing(consumer).take(List.of(first)))
        .allMatch(HandleResult.Duplicate.class::isInstance);
    assertThat(inbox().operations().retry(consumer, "a", bytes("mended again"))).isFalse();
    runAll(worker);
    assertThat(effects(consumer)).hasSize(2);
  }

  @Test
  void onlyADeadLetterIsEdited() {
    String consumer = freshConsumer();
    inbox().storing(consumer).take(List.of(message("waits"), message("dead")));
    runAll(
        worker(
            consumer,
            (effects, message) -> {
              throw message.id().equals("dead")
                  ? new MessageRejected("never")
                  : new IllegalStateException("not yet");
            }));
    inbox()
        .outside(
            consumer,
            (effects, message) -> {
              throw new IllegalStateException("no answer");
            },
            true)
        .take(List.of(message("doubt")));
    for (String id : List.of("waits", "doubt", "nobody")) {
      assertThat(inbox().operations().retry(consumer, id, bytes("mended"))).as(id).isFalse();
    }
    assertThat(inbox().operations().retry(freshConsumer(), "dead", bytes("mended"))).isFalse();
    for (String id : List.of("waits", "dead")) {
      assertThat(inbox().operations().find(consumer, id).orElseThrow().payload())
          .isEqualTo(message(id).payload());
    }
    assertThat(status(consumer).pending()).isOne();
    assertThat(status(consumer).failing()).as("its pause goes on").isOne();
    assertThat(status(consumer).dead()).isOne();
    assertThat(status(consumer).inDoubt()).isOne();
  }

  @Test
  void deadLetterMayBeEditedToNothingOrToAnyBytes() {
    String consumer = freshConsumer();
    byte[] any = {0, -1, (byte) 0xc3, 0x28, '\r', '\n'};
    inbox().storing(consumer).take(messages(2));
    runAll(worker(consumer, mendedOnly(consumer)));
    assertThat(inbox().operations().retry(consumer, "m-0", new byte[0])).isTrue();
    assertThat(inbox().operations().retry(consumer, "m-1", any)).isTrue();
    assertThat(inbox().operations().find(consumer, "m-0").orElseThrow().payload()).isEmpty();
    assertThat(inbox().operations().find(consumer, "m-1").orElseThrow().payload()).isEqualTo(any);
  }

  /** Runs several times, because concurrent calls don't always overlap. */
  @Test
  void ofThoseWhoEditADeadLetterAtOnceOneWinsAndTheOthersAreTold() {
    String consumer = freshConsumer();
    List<String> expected = new ArrayList<>();
    inbox().storing(consumer).take(messages(10));
    runAll(worker(consumer, mendedOnly(consumer)));
    for (Message each : messages(10)) {
      List<Boolean> went =
          Racers.onPlatformThreads(
              4,
              racer ->
                  inbox().operations().retry(consumer, each.id(), bytes("mended by " + racer)));
      assertThat(went).containsOnlyOnce(true);
      expected.add(each.id() + " mended by " + went.indexOf(true));
    }
    runAll(worker(consumer, mendedOnly(consumer)));
    assertThat(effects(consumer)).isEqualTo(expected);
  }

  @Test
  void payloadThatIsTooLargeIsNotTakenForADeadLetter() {
    String consumer = freshConsumer();
    inbox().storing(consumer).take(messages(1));
    runAll(worker(consumer, mendedOnly(consumer)));
    byte[] large = new byte[InboxOperations.MAX_EDITED_BYTES + 1];
    assertThatThrownBy(() -> inbox().operations().retry(consumer, "m-0", large))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("MAX_EDITED_BYTES");
    assertThat(status(consumer).dead()).isOne();
  }
}
