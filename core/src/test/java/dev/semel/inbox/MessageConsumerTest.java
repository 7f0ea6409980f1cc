package dev.semel.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.event.Event;
import dev.semel.event.SemelListener;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.junit.Patience;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.LoopFailures;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class MessageConsumerTest {
  private static final ConsumerSettings QUICK =
      ConsumerSettings.defaults().withRetries(3, Duration.ofMillis(1), Duration.ofMillis(2));

  private final MemoryTransport transport = new MemoryTransport();
  private final List<String> tried = new CopyOnWriteArrayList<>();

  @AfterEach
  void close() {
    transport.close();
  }

  private MessageConsumer handling(Function<Message, HandleResult> handler) {
    return start(
        messages ->
            messages.stream()
                .map(
                    message -> {
                      tried.add(message.id());
                      return handler.apply(message);
                    })
                .toList());
  }

  private MessageConsumer start(ConsumerInbox consumerInbox) {
    return MessageConsumer.start(
        "ledger",
        transport.subscribe("orders", "ledger", SubscribeSettings.defaults()),
        consumerInbox,
        DeadLetters.to(transport, "dead"),
        QUICK);
  }

  private void send(String... ids) {
    for (String id : ids) {
      transport
          .publish(Message.of("orders", id).withId(id).withOrderingKey("k"))
          .toCompletableFuture()
          .join();
    }
  }

  @Test
  void whatIsDoneOrADuplicateIsAcknowledged() {
    try (MessageConsumer consumer =
        handling(
            m -> m.id().equals("b") ? new HandleResult.Duplicate() : new HandleResult.Done())) {
      send("a", "b", "c");
      await().until(() -> consumer.counts().received() == 3);
      assertThat(consumer.counts().done()).isEqualTo(2);
      assertThat(consumer.counts().duplicates()).isEqualTo(1);
    }
    assertThat(tried).containsExactly("a", "b", "c");
  }

  @Test
  void aPoisonMessageIsBuriedWithItsReasonAndTheNextGoesOn() throws Exception {
    try (MessageConsumer consumer =
            handling(
                m ->
                    m.id().equals("bad")
                        ? new HandleResult.Failed(
                            new IllegalStateException("no such account"), false)
                        : new HandleResult.Done());
        Subscription letters =
            transport.subscribe("dead", "operator", SubscribeSettings.defaults())) {
      send("bad", "good");
      await().until(() -> consumer.counts().done() == 1);
      assertThat(tried).containsExactly("bad", "bad", "bad", "good");
      List<Delivery> dead = letters.receive(10, Patience.LIMIT);
      assertThat(dead).hasSize(1);
      Message letter = dead.getFirst().message();
      assertThat(letter.payload()).isEqualTo("bad".getBytes(StandardCharsets.UTF_8));
      assertThat(letter.header(DeadLetters.REASON).orElseThrow()).contains("no such account");
      assertThat(letter.header(DeadLetters.CONSUMER)).contains("ledger");
      assertThat(letter.header(DeadLetters.ATTEMPTS)).contains("3");
      assertThat(letter.header(DeadLetters.ORIGIN)).contains("orders");
      assertThat(letter.header(Message.CAUSATION_ID)).contains("bad");
      assertThat(consumer.counts().dead()).isEqualTo(1);
    }
  }

  private Message buried(Message message, String reason) throws InterruptedException {
    DeadLetters.to(transport, "dead").keep("ledger", message, 3, reason);
    try (Subscription letters =
        transport.subscribe("dead", "operator", SubscribeSettings.defaults())) {
      return letters.receive(10, Patience.LIMIT).getFirst().message();
    }
  }

  @Test
  void aReasonIsCutBetweenCharacters() throws Exception {
    String upToTheLimit = "x".repeat(DeadLetters.MAX_REASON - 1);
    Message letter = buried(Message.of("orders", "bad"), upToTheLimit + "\uD83D\uDCA5 and more");
    assertThat(letter.header(DeadLetters.REASON)).contains(upToTheLimit + "…");
  }

  @Test
  void aDeadLetterThatDiesAgainSaysWhyThisTimeHoweverManyHeadersItHas() throws Exception {
    Message message =
        Message.of("dead-orders", "bad")
            .withHeader(DeadLetters.REASON, "the first time")
            .withHeader("large", "x".repeat(Message.MAX_HEADER_BYTES - 100));
    Message letter = buried(message, "the second time");
    assertThat(letter.header(DeadLetters.REASON)).contains("the second time");
    assertThat(letter.header(DeadLetters.ORIGIN)).contains("dead-orders");
    assertThat(letter.header(Message.CAUSATION_ID)).contains(message.id());
    assertThat(letter.header("large")).isEmpty();
  }

  @Test
  void aDeadLetterThatCantBeKeptHoldsUpNobodyElse() {
    DeadLetters broken =
        (consumer, message, attempts, reason) -> {
          throw new IllegalStateException("a bug");
        };
    transport.publish(Message.of("orders", "").withId("bad")).toCompletableFuture().join();
    transport.publish(Message.of("orders", "").withId("good")).toCompletableFuture().join();
    try (MessageConsumer consumer =
        MessageConsumer.start(
            "ledger",
            transport.subscribe("orders", "ledger", SubscribeSettings.defaults()),
            messages ->
                messages.stream()
                    .<HandleResult>map(
                        message ->
                            message.id().equals("bad")
                                ? new HandleResult.Failed(new IllegalStateException("no"), true)
                                : new HandleResult.Done())
                    .toList(),
            broken,
            QUICK)) {
      await().until(() -> consumer.counts().received() > 10);
      assertThat(consumer.counts().done()).as("acknowledged the first time").isOne();
      assertThat(consumer.counts().dead()).isZero();
    }
  }

  @Test
  void whatBecomesOfAMessageIsToldAsEvents() {
    List<Event> events = new CopyOnWriteArrayList<>();
    SemelListener faulty =
        event -> {
          events.add(event);
          throw new IllegalStateException("a listener's own fault");
        };
    IllegalStateException no = new IllegalStateException("no");
    try (MessageConsumer consumer =
        MessageConsumer.start(
            Platform.REAL,
            "ledger",
            transport.subscribe("orders", "ledger", SubscribeSettings.defaults()),
            messages ->
                messages.stream()
                    .<HandleResult>map(
                        message ->
                            switch (message.id()) {
                              case "again" -> new HandleResult.Duplicate();
                              case "bad" -> new HandleResult.Failed(no, true);
                              case "doubtful" -> new HandleResult.InDoubt();
                              default -> new HandleResult.Done();
                            })
                    .toList(),
            DeadLetters.to(transport, "dead"),
            QUICK,
            ConsumerListener.to("ledger", faulty))) {
      send("good", "again", "bad", "doubtful");
      await().until(() -> consumer.counts().received() == 4);
    }
    assertThat(events)
        .startsWith(
            new Event.Consumed(mention("good")),
            new Event.Redelivered(mention("again")),
            new Event.HandlerFailed(mention("bad"), no.toString()),
            new Event.DeadLettered(mention("bad"), no.toString()))
        .hasSize(5);
    assertThat(events.getLast())
        .isInstanceOfSatisfying(
            Event.DeadLettered.class, dead -> assertThat(dead.reason()).contains("in doubt"));
  }

  private static Event.Mention mention(String id) {
    return new Event.Mention(id, "orders", "ledger", "");
  }

  @Test
  void whatIsRejectedForGoodOrInDoubtIsNotTriedAgain() {
    try (MessageConsumer consumer =
        handling(
            m ->
                m.id().equals("rejected")
                    ? new HandleResult.Failed(new IllegalStateException("never"), true)
                    : new HandleResult.InDoubt())) {
      send("rejected", "doubtful");
      await().until(() -> consumer.counts().dead() == 2);
    }
    assertThat(tried).containsExactly("rejected", "doubtful");
  }

  @Test
  void aDatabaseThatIsAwayLosesNothingAndIsCounted() {
    long before = LoopFailures.count("semel-consumer");
    try (MessageConsumer consumer =
        start(
            messages -> {
              tried.add("look");
              if (tried.size() < 4) {
                throw new StoreException("away");
              }
              return messages.stream().<HandleResult>map(m -> new HandleResult.Done()).toList();
            })) {
      send("a");
      await().until(() -> consumer.counts().done() == 1);
      assertThat(consumer.counts().dead()).isZero();
    }
    assertThat(LoopFailures.count("semel-consumer")).isGreaterThanOrEqualTo(before + 3);
  }
}
