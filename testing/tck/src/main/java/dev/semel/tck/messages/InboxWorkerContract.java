package dev.semel.tck.messages;

import static dev.semel.tck.messages.InboxContract.freshConsumer;
import static dev.semel.tck.messages.InboxContract.message;
import static dev.semel.tck.messages.InboxContract.messages;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.spi.InboxOperations.Entry;
import dev.semel.inbox.spi.InboxOperations.Page;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.tck.Racers;
import dev.semel.tck.messages.InboxUnderTest.Patience;
import dev.semel.tck.messages.InboxUnderTest.Worker;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/**
 * What an inbox promises about messages that are stored first and handled later, and to operators.
 */
public abstract class InboxWorkerContract extends InboxEditContract {
  @Test
  void storedMessagesTakeEffectOnceAndInOrder() {
    String consumer = freshConsumer();
    assertThat(inbox().storing(consumer).take(messages(25)))
        .allMatch(HandleResult.Done.class::isInstance);
    assertThat(inbox().storing(consumer).take(messages(25)))
        .allMatch(HandleResult.Duplicate.class::isInstance);
    assertThat(effects(consumer)).isEmpty();
    assertThat(status(consumer).pending()).isEqualTo(25);
    assertThat(status(consumer).oldest()).isPresent();
    runAll(worker(consumer, writing(consumer)));
    assertThat(effects(consumer)).isEqualTo(messages(25).stream().map(Message::id).toList());
    assertThat(status(consumer).pending()).isZero();
    assertThat(inbox().operations().status().bytes()).isPositive();
    assertThat(inbox().storing(consumer).take(messages(25)))
        .allMatch(HandleResult.Duplicate.class::isInstance);
  }

  @Test
  void aMessageComesBackWordForWord() {
    String consumer = freshConsumer();
    Message full =
        message("full")
            .withOrderingKey("customer ä 1")
            .withType("order-created")
            .withHeader("note", "it's \"{a}\" \\ 100%")
            .withCorrelationId("c-1");
    Message bare = Message.of("orders", new byte[0]).withId("bare");
    List<Message> seen = new ArrayList<>();
    inbox().storing(consumer).take(List.of(full, bare));
    assertThat(inbox().operations().find(consumer, "full").orElseThrow().headers())
        .isEqualTo(full.headers());
    runAll(worker(consumer, (effects, message) -> seen.add(message)));
    assertThat(seen).usingRecursiveComparison().isEqualTo(List.of(full, bare));
  }

  @Test
  void oneKeyWaitsForItsFirstMessageAndOthersGoOn() {
    String consumer = freshConsumer();
    Set<String> failing = ConcurrentHashMap.newKeySet();
    failing.add("a");
    inbox()
        .storing(consumer)
        .take(
            List.of(
                message("a").withOrderingKey("k"),
                message("b").withOrderingKey("k"),
                message("c").withOrderingKey("other"),
                message("d")));
    Worker worker =
        worker(
            consumer,
            (effects, message) -> {
              writing(consumer).handle(effects, message);
              if (failing.contains(message.id())) {
                throw new IllegalStateException("not yet");
              }
            });
    runAll(worker);
    assertThat(effects(consumer)).containsExactly("c", "d");
    assertThat(status(consumer).failing()).isEqualTo(1);
    failing.clear();
    inbox().elapse(PAUSE.plusMillis(1));
    runAll(worker);
    assertThat(effects(consumer)).containsExactly("c", "d", "a", "b");
  }

  @Test
  void whatFailsTooOftenOrIsRejectedBecomesADeadLetterAndCanBeRevived() {
    String consumer = freshConsumer();
    Set<String> failing = ConcurrentHashMap.newKeySet();
    failing.addAll(Set.of("a", "r"));
    AtomicInteger runs = new AtomicInteger();
    Worker worker =
        worker(
            consumer,
            (effects, message) -> {
              writing(consumer).handle(effects, message);
              runs.incrementAndGet();
              if (failing.contains(message.id())) {
                throw message.id().equals("r")
                    ? new MessageRejected("no such customer")
                    : new IllegalStateException("bad \u001b[31m day");
              }
            });
    inbox()
        .storing(consumer)
        .take(
            List.of(
                message("a").withOrderingKey("k"),
                message("r"),
                message("b").withOrderingKey("k")));
    for (int i = 0; i < 3; i++) {
      runAll(worker);
      inbox().elapse(PAUSE.plusMillis(1));
    }
    runAll(worker);
    assertThat(effects(consumer)).containsExactly("b");
    assertThat(runs).hasValue(5);
    Page dead = inbox().operations().list(consumer, State.DEAD, "", 10);
    assertThat(dead.entries()).extracting(Entry::id).containsExactly("a", "r");
    assertThat(dead.entries()).extracting(Entry::attempts).containsExactly(3, 1);
    assertThat(dead.entries().getFirst().reason()).contains("bad").doesNotContain("\u001b");
    assertThat(inbox().operations().deadLetters()).containsEntry(consumer, 2L);
    assertThat(inbox().operations().diagnose())
        .anyMatch(finding -> finding.contains(consumer) && finding.contains("dead letters"));
    assertThat(inbox().operations().forget(consumer, "a")).isFalse();
    failing.clear();
    assertThat(inbox().operations().retry(consumer)).isEqualTo(2);
    runAll(worker);
    assertThat(effects(consumer)).containsExactly("b", "a", "r");
    assertThat(status(consumer).dead()).isZero();
    assertThat(inbox().operations().deadLetters()).doesNotContainKey(consumer);
  }

  @Test
  void oneDeadOrStuckMessageGoesBackToTheWorkers() {
    String consumer = freshConsumer();
    Set<String> failing = ConcurrentHashMap.newKeySet();
    failing.addAll(Set.of("m-0", "m-1", "m-2"));
    Worker worker =
        worker(
            consumer,
            (effects, message) -> {
              if (failing.contains(message.id())) {
                throw message.id().equals("m-2")
                    ? new IllegalStateException("not yet")
                    : new MessageRejected("never");
              }
              writing(consumer).handle(effects, message);
            });
    inbox().storing(consumer).take(messages(3));
    runAll(worker);
    failing.clear();
    assertThat(inbox().operations().retry(consumer, "m-1")).as("dead").isTrue();
    assertThat(inbox().operations().retry(consumer, "m-2")).as("waits for its pause").isTrue();
    assertThat(inbox().operations().retry(consumer, "m-9")).as("unknown").isFalse();
    assertThat(inbox().operations().retry(freshConsumer(), "m-0")).as("another's").isFalse();
    runAll(worker);
    assertThat(effects(consumer)).containsExactlyInAnyOrder("m-1", "m-2");
    assertThat(inbox().operations().list(consumer, State.DEAD, "", 10).entries())
        .extracting(Entry::id)
        .containsExactly("m-0");
    assertThat(inbox().operations().retry(consumer, "m-1")).as("done").isFalse();
  }

  @Test
  void deadLettersCanBeDeletedAndAreListedInPages() {
    String consumer = freshConsumer();
    inbox().storing(consumer).take(messages(5));
    runAll(
        worker(
            consumer,
            (effects, message) -> {
              throw new MessageRejected("never");
            }));
    Page first = inbox().operations().list(consumer, State.DEAD, "", 3);
    Page second = inbox().operations().list(consumer, State.DEAD, first.cursor(), 3);
    assertThat(first.entries()).hasSize(3);
    assertThat(second.entries()).hasSize(2);
    assertThat(second.cursor()).isEmpty();
    assertThat(inbox().operations().purgeDead(consumer)).isEqualTo(5);
    assertThat(inbox().operations().list(consumer, State.DEAD, "", 3).entries()).isEmpty();
    assertThat(inbox().storing(consumer).take(messages(5)))
        .allMatch(HandleResult.Duplicate.class::isInstance);
  }

  @Test
  void manyWorkersShareTheMessagesAndKeepTheOrderOfEachKey() {
    String consumer = freshConsumer();
    List<Message> all = new ArrayList<>();
    for (int i = 0; i < 120; i++) {
      all.add(message("%03d-%d".formatted(i, i % 7)).withOrderingKey("k" + i % 7));
    }
    inbox().storing(consumer).take(all);
    Racers.onPlatformThreads(
        4,
        racer -> {
          Worker worker = worker(consumer, writing(consumer));
          while (status(consumer).pending() > 0) {
            worker.runOnce(5);
          }
          return racer;
        });
    List<String> effects = effects(consumer);
    assertThat(effects).hasSize(120).doesNotHaveDuplicates();
    for (int key = 0; key < 7; key++) {
      String end = "-" + key;
      assertThat(effects).filteredOn(what -> what.endsWith(end)).isSorted();
    }
  }

  @Test
  void whatAWorkerIsTooSlowForIsLeftToAnotherAndHappensOnce() throws InterruptedException {
    String consumer = freshConsumer();
    Patience impatient = new Patience(3, PAUSE, Duration.ofMillis(100));
    inbox().storing(consumer).take(messages(3));
    Worker second = inbox().worker(consumer, writing(consumer), impatient);
    Thread beside = new Thread(() -> second.runOnce(10));
    Worker first =
        inbox()
            .worker(
                consumer,
                (effects, message) -> {
                  writing(consumer).handle(effects, message);
                  if (message.id().equals("m-0")) {
                    inbox().elapse(Duration.ofMillis(101));
                    beside.start(); // while the first message is still being handled
                  }
                },
                impatient);
    first.runOnce(3);
    beside.join();
    runAll(second);
    assertThat(effects(consumer)).containsExactlyInAnyOrder("m-0", "m-1", "m-2");
  }

  @Test
  void oldIdsAreDeletedInPartsButNeverThoseOfMessagesThatAreStillThere() {
    String consumer = freshConsumer();
    inbox().consumerInbox(consumer, writing(consumer)).take(messages(5));
    inbox().storing(consumer).take(List.of(message("stored")));
    assertThat(inbox().operations().purge(consumer, Duration.ofHours(1), 100)).isZero();
    assertThat(inbox().operations().old(consumer, Duration.ofHours(1))).isZero();
    inbox().elapse(PAUSE);
    assertThat(inbox().operations().old(consumer, PAUSE.dividedBy(2))).isEqualTo(5);
    assertThat(inbox().operations().purge(consumer, PAUSE.dividedBy(2), 3)).isEqualTo(3);
    assertThat(inbox().operations().purge(consumer, PAUSE.dividedBy(2), 100)).isEqualTo(2);
    assertThat(inbox().operations().old(consumer, PAUSE.dividedBy(2))).isZero();
    assertThat(status(consumer).ids()).isEqualTo(1);
    assertThat(inbox().consumerInbox(consumer, writing(consumer)).take(messages(5)))
        .allMatch(HandleResult.Done.class::isInstance);
  }

  @Test
  void oldestIdsAreDeletedFirst() {
    String consumer = freshConsumer();
    // Not in the order of their names.
    for (String id : List.of("m-2", "m-0", "m-3", "m-1")) {
      inbox().consumerInbox(consumer, writing(consumer)).take(List.of(message(id)));
      inbox().elapse(Duration.ofMillis(5));
    }
    assertThat(inbox().operations().purge(consumer, Duration.ofMillis(1), 2)).isEqualTo(2);
    assertThat(inbox().consumerInbox(consumer, writing(consumer)).take(messages(4)))
        .extracting(handled -> handled instanceof HandleResult.Done)
        .as("m-2 and m-0 are forgotten")
        .containsExactly(true, false, true, false);
  }

  @Test
  void whatIsInDoubtIsListedAndFound() {
    String consumer = freshConsumer();
    inbox()
        .outside(
            consumer,
            (effects, message) -> {
              throw new IllegalStateException("no answer");
            },
            true)
        .take(messages(3));
    assertThat(status(consumer).inDoubt()).isEqualTo(3);
    Page page = inbox().operations().list(consumer, State.IN_DOUBT, "", 2);
    assertThat(page.entries()).extracting(Entry::id).containsExactly("m-0", "m-1");
    assertThat(inbox().operations().list(consumer, State.IN_DOUBT, page.cursor(), 2).entries())
        .extracting(Entry::id)
        .containsExactly("m-2");
    assertThat(inbox().operations().purge(consumer, Duration.ofDays(-1), 100)).isZero();
    assertThat(inbox().operations().diagnose())
        .anyMatch(finding -> finding.contains(consumer) && finding.contains("nobody knows"));
  }
}
