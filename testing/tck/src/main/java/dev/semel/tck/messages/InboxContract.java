package dev.semel.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.inbox.HandleResult;
import dev.semel.inbox.MessageRejected;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.internal.Ids;
import dev.semel.tck.Racers;
import dev.semel.tck.messages.InboxUnderTest.Effects;
import dev.semel.transport.Message;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * Everything that a {@link ConsumerInbox} promises for effects in its database. Extend it to test
 * an inbox.
 */
public abstract class InboxContract extends PositionsContract {
  private static final int RACERS = 8;
  private static final int RACED = 200;

  /** Provided by the engine's test; all tests of a class may share it. */
  protected abstract InboxUnderTest inbox();

  @Override
  protected ConsumerPositions positions() {
    return inbox().positions();
  }

  @Override
  protected void elapse(Duration d) {
    inbox().elapse(d);
  }

  /** A new name of the longest length that a consumer's name may have. */
  static String freshConsumer() {
    return "c-" + Ids.uuid7();
  }

  static Message message(String id) {
    return Message.of("orders", "{}").withId(id);
  }

  static List<Message> messages(int count) {
    return IntStream.range(0, count).mapToObj(i -> message("m-" + i)).toList();
  }

  private static void write(Effects effects, String consumer, Message message) throws Exception {
    effects.write(consumer + '/' + message.id());
  }

  private ConsumerInbox writing(String consumer) {
    return inbox().consumerInbox(consumer, (effects, message) -> write(effects, consumer, message));
  }

  private List<String> effects(String consumer) {
    return inbox().effects(consumer + '/').stream()
        .map(what -> what.substring(consumer.length() + 1))
        .toList();
  }

  private static List<Class<?>> kinds(List<HandleResult> outcomes) {
    return outcomes.stream().<Class<?>>map(Object::getClass).toList();
  }

  @Test
  @DisplayName("ProcessWorkBatch_DuplicateInboxMessage_DeduplicationPreventsAsync")
  void aMessageThatComesAgainIsADuplicateAndLeavesOneRecord() {
    String consumer = freshConsumer();
    List<Message> batch = List.of(message("abc-123"));
    assertThat(writing(consumer).take(batch)).containsExactly(new HandleResult.Done());
    assertThat(writing(consumer).take(batch)).containsExactly(new HandleResult.Duplicate());
    assertThat(effects(consumer)).containsExactly("abc-123");
    assertThat(inbox().operations().status().consumers())
        .filteredOn(status -> status.consumer().equals(consumer))
        .singleElement()
        .satisfies(status -> assertThat(status.ids()).isEqualTo(1));
  }

  @Test
  void nothingIsTakenFromNothing() {
    assertThat(writing(freshConsumer()).take(List.of())).isEmpty();
  }

  @Test
  void eachConsumerHasEveryMessage() {
    String one = freshConsumer();
    String other = freshConsumer();
    writing(one).take(messages(2));
    assertThat(writing(other).take(messages(2)))
        .containsExactly(new HandleResult.Done(), new HandleResult.Done());
    assertThat(effects(other)).containsExactly("m-0", "m-1");
  }

  @Test
  void effectsAreInTheOrderOfTheBatchWhateverTheIds() {
    String consumer = freshConsumer();
    List<Message> shuffled = new ArrayList<>(messages(50));
    Collections.shuffle(shuffled, new Random(7));
    writing(consumer).take(shuffled);
    assertThat(effects(consumer)).isEqualTo(shuffled.stream().map(Message::id).toList());
  }

  @Test
  void awkwardIdsAreKeptApart() {
    String consumer = freshConsumer();
    List<Message> batch = new ArrayList<>();
    for (String id : List.of("a", "A", "a ", " a", "ä", "a\u0308", "%", "_", "'", "\\", "{a,b}")) {
      batch.add(message(id));
    }
    batch.add(message("x".repeat(Message.MAX_ID_BYTES)));
    assertThat(writing(consumer).take(batch)).allMatch(HandleResult.Done.class::isInstance);
    assertThat(writing(consumer).take(batch)).allMatch(HandleResult.Duplicate.class::isInstance);
    assertThat(effects(consumer)).isEqualTo(batch.stream().map(Message::id).toList());
  }

  @Test
  void theSameIdTwiceInABatchCountsOnce() {
    String consumer = freshConsumer();
    assertThat(writing(consumer).take(List.of(message("a"), message("b"), message("a"))))
        .containsExactly(
            new HandleResult.Done(), new HandleResult.Done(), new HandleResult.Duplicate());
    assertThat(effects(consumer)).containsExactly("a", "b");
  }

  @Test
  void moreThanABatchIsTakenInParts() {
    String consumer = freshConsumer();
    List<Message> many = messages(2500);
    assertThat(writing(consumer).take(many))
        .hasSize(2500)
        .allMatch(HandleResult.Done.class::isInstance);
    assertThat(effects(consumer)).hasSize(2500);
  }

  @Test
  void onePoisonedMessageOfAHundredFailsAlone() {
    String consumer = freshConsumer();
    AtomicInteger poison = new AtomicInteger(41);
    ConsumerInbox consumerInbox =
        inbox()
            .consumerInbox(
                consumer,
                (effects, message) -> {
                  write(effects, consumer, message);
                  if (message.id().equals("m-" + poison.get())) {
                    throw new IllegalArgumentException("poison");
                  }
                });
    List<HandleResult> outcomes = consumerInbox.take(messages(100));
    assertThat(outcomes.get(41))
        .isInstanceOfSatisfying(
            HandleResult.Failed.class,
            failed -> {
              assertThat(failed.reason()).hasMessage("poison");
              assertThat(failed.forGood()).isFalse();
            });
    assertThat(outcomes).filteredOn(HandleResult.Done.class::isInstance).hasSize(99);
    assertThat(effects(consumer)).hasSize(99).doesNotContain("m-41");
    poison.set(-1);
    List<HandleResult> again = consumerInbox.take(messages(100));
    assertThat(again.get(41)).isEqualTo(new HandleResult.Done());
    assertThat(again).filteredOn(HandleResult.Duplicate.class::isInstance).hasSize(99);
    assertThat(effects(consumer)).hasSize(100);
  }

  @Test
  void aFailureHoldsBackWhatFollowsItInOrder() {
    String consumer = freshConsumer();
    Set<String> failing = new HashSet<>(Set.of("b"));
    ConsumerInbox consumerInbox =
        inbox()
            .consumerInbox(
                consumer,
                (effects, message) -> {
                  if (failing.contains(message.id())) {
                    throw new IllegalStateException("not yet");
                  }
                  write(effects, consumer, message);
                });
    List<Message> batch =
        List.of(
            message("a").withOrderingKey("k"),
            message("b").withOrderingKey("k"),
            message("c").withOrderingKey("other"),
            message("d").withOrderingKey("k"),
            message("e"),
            message("b").withOrderingKey("k"));
    assertThat(kinds(consumerInbox.take(batch)))
        .containsExactly(
            HandleResult.Done.class,
            HandleResult.Failed.class,
            HandleResult.Done.class,
            HandleResult.HeldBack.class,
            HandleResult.Done.class,
            HandleResult.HeldBack.class);
    failing.clear();
    assertThat(kinds(consumerInbox.take(batch)))
        .containsExactly(
            HandleResult.Duplicate.class,
            HandleResult.Done.class,
            HandleResult.Duplicate.class,
            HandleResult.Done.class,
            HandleResult.Duplicate.class,
            HandleResult.Duplicate.class);
    assertThat(effects(consumer)).containsExactly("a", "c", "e", "b", "d");
  }

  @Test
  void aRejectedMessageFailsForGoodAndLeavesNothing() {
    String consumer = freshConsumer();
    ConsumerInbox consumerInbox =
        inbox()
            .consumerInbox(
                consumer,
                (effects, message) -> {
                  write(effects, consumer, message);
                  throw new MessageRejected("no such customer");
                });
    assertThat(consumerInbox.take(messages(1)))
        .singleElement()
        .isInstanceOfSatisfying(
            HandleResult.Failed.class, failed -> assertThat(failed.forGood()).isTrue());
    assertThat(effects(consumer)).isEmpty();
    assertThat(writing(consumer).take(messages(1))).containsExactly(new HandleResult.Done());
  }

  @Test
  void manyWhoHandInTheSameMessagesGiveEachItsEffectOnce() {
    String consumer = freshConsumer();
    List<List<HandleResult>> answers =
        Racers.onPlatformThreads(
            RACERS,
            racer -> {
              List<Message> shuffled = new ArrayList<>(messages(RACED));
              Collections.shuffle(shuffled, new Random(racer));
              List<HandleResult> outcomes = new ArrayList<>();
              for (int from = 0; from < RACED; from += 20) {
                outcomes.addAll(writing(consumer).take(shuffled.subList(from, from + 20)));
              }
              return outcomes;
            });
    List<HandleResult> all = answers.stream().flatMap(List::stream).toList();
    assertThat(all).filteredOn(HandleResult.Done.class::isInstance).hasSize(RACED);
    assertThat(all)
        .filteredOn(HandleResult.Duplicate.class::isInstance)
        .hasSize((RACERS - 1) * RACED);
    assertThat(effects(consumer)).hasSize(RACED).doesNotHaveDuplicates();
  }

  @Test
  void atMostOnceAFailureIsNotRepeated() {
    String consumer = freshConsumer();
    AtomicInteger runs = new AtomicInteger();
    ConsumerInbox consumerInbox =
        inbox()
            .outside(
                consumer,
                (effects, message) -> {
                  runs.incrementAndGet();
                  throw new IllegalStateException("no answer");
                },
                false);
    assertThat(consumerInbox.take(messages(1)))
        .singleElement()
        .isInstanceOfSatisfying(
            HandleResult.Failed.class, failed -> assertThat(failed.forGood()).isTrue());
    assertThat(consumerInbox.take(messages(1))).containsExactly(new HandleResult.Duplicate());
    assertThat(runs).hasValue(1);
  }

  @Test
  void whatWasStartedOutsideAndNeverEndedIsInDoubtUntilForgotten() {
    String consumer = freshConsumer();
    AtomicInteger runs = new AtomicInteger();
    Set<String> failing = new HashSet<>(Set.of("m-1"));
    ConsumerInbox consumerInbox =
        inbox()
            .outside(
                consumer,
                (effects, message) -> {
                  runs.incrementAndGet();
                  if (failing.contains(message.id())) {
                    throw new IllegalStateException("no answer");
                  }
                },
                true);
    assertThat(consumerInbox.take(messages(2)))
        .containsExactly(new HandleResult.Done(), new HandleResult.InDoubt());
    assertThat(consumerInbox.take(messages(2)))
        .containsExactly(new HandleResult.Duplicate(), new HandleResult.InDoubt());
    assertThat(runs).hasValue(2);
    failing.clear();
    assertThat(inbox().operations().forget(consumer, "m-1")).isTrue();
    assertThat(consumerInbox.take(messages(2)))
        .containsExactly(new HandleResult.Duplicate(), new HandleResult.Done());
    assertThat(consumerInbox.take(messages(2)))
        .containsExactly(new HandleResult.Duplicate(), new HandleResult.Duplicate());
    assertThat(runs).hasValue(3);
  }

  @Test
  void outsideARejectedMessageIsNotInDoubt() {
    String consumer = freshConsumer();
    ConsumerInbox consumerInbox =
        inbox()
            .outside(
                consumer,
                (effects, message) -> {
                  throw new MessageRejected("no such customer");
                },
                true);
    for (int i = 0; i < 2; i++) {
      assertThat(kinds(consumerInbox.take(messages(1)))).containsExactly(HandleResult.Failed.class);
    }
  }

  private static List<LogPosition> places(int count) {
    return IntStream.range(0, count)
        .mapToObj(i -> new LogPosition("lane", i == 0 ? "" : "" + i, "" + (i + 1)))
        .toList();
  }

  private String position(String consumer) {
    return positions().read(consumer, Set.of("lane")).getOrDefault("lane", "unknown");
  }

  @Test
  void thePositionMovesWithTheEffectsUpToTheFirstThatFailed() {
    String consumer = freshConsumer();
    assertThat(position(consumer)).isEmpty();
    AtomicInteger failures = new AtomicInteger(1);
    ConsumerInbox consumerInbox =
        inbox()
            .consumerInbox(
                consumer,
                (effects, message) -> {
                  write(effects, consumer, message);
                  if (message.id().equals("m-2") && failures.getAndDecrement() > 0) {
                    throw new IllegalStateException("not now");
                  }
                });
    assertThat(kinds(consumerInbox.take(messages(5), places(5))))
        .containsExactly(
            HandleResult.Done.class,
            HandleResult.Done.class,
            HandleResult.Failed.class,
            HandleResult.Done.class,
            HandleResult.Done.class);
    assertThat(position(consumer)).isEqualTo("2");
    assertThat(kinds(consumerInbox.take(messages(5).subList(2, 5), places(5).subList(2, 5))))
        .containsExactly(
            HandleResult.Done.class, HandleResult.Duplicate.class, HandleResult.Duplicate.class);
    assertThat(position(consumer)).isEqualTo("5");
    assertThat(effects(consumer)).containsExactly("m-0", "m-1", "m-3", "m-4", "m-2");
  }

  @Test
  void nothingTakesEffectWhereAnotherHasReadOn() {
    String consumer = freshConsumer();
    assertThat(position(consumer)).isEmpty();
    positions().advance(consumer, List.of(new LogPosition("lane", "", "2")));
    assertThatThrownBy(() -> writing(consumer).take(messages(3), places(3)))
        .isInstanceOf(PositionMoved.class);
    assertThat(effects(consumer)).isEmpty();
    assertThat(position(consumer)).isEqualTo("2");
    // It is no duplicate later either.
    assertThat(writing(consumer).take(messages(3).subList(2, 3), places(3).subList(2, 3)))
        .containsExactly(new HandleResult.Done());
  }

  @Test
  void thePositionMovesWithWhatIsStored() {
    String consumer = freshConsumer();
    assertThat(position(consumer)).isEmpty();
    assertThat(inbox().storing(consumer).take(messages(3), places(3)))
        .containsOnly(new HandleResult.Done());
    assertThat(position(consumer)).isEqualTo("3");
    assertThatThrownBy(() -> inbox().storing(consumer).take(messages(3), places(3)))
        .isInstanceOf(PositionMoved.class);
    LogPosition behind = new LogPosition("lane", "elsewhere", "4");
    assertThatThrownBy(
            () -> inbox().storing(consumer).take(List.of(message("m-3")), List.of(behind)))
        .isInstanceOf(PositionMoved.class);
    assertThat(position(consumer)).isEqualTo("3");
    assertThat(inbox().operations().find(consumer, "m-2")).isPresent();
    assertThat(inbox().operations().find(consumer, "m-3")).as("rolled back").isEmpty();
  }

  @Test
  void thePositionOfEffectsOutsideMovesBehindThem() {
    String consumer = freshConsumer();
    assertThat(position(consumer)).isEmpty();
    inbox().outside(consumer, (effects, message) -> {}, true).take(messages(2), places(2));
    assertThat(position(consumer)).isEqualTo("2");
  }
}
