package dev.semel.transport.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PartitionBufferTest {
  private long now = 1_000;
  private final List<LogPosition> told = new ArrayList<>();
  private final Platform platform =
      new Platform() {
        @Override
        public long nanos() {
          return now;
        }
      };

  private PartitionBuffer buffer(SubscribeSettings settings) {
    PartitionBuffer buffer = new PartitionBuffer(platform, settings, true, told::addAll);
    buffer.open("a", "0");
    buffer.open("b", "");
    return buffer;
  }

  private PartitionBuffer buffer() {
    return buffer(SubscribeSettings.defaults());
  }

  private static Message message(String key, String text) {
    return Message.of("orders", text).withOrderingKey(key);
  }

  private static List<String> texts(List<Delivery> deliveries) {
    return deliveries.stream()
        .map(each -> new String(each.message().payload(), StandardCharsets.UTF_8))
        .toList();
  }

  private void pass(Duration time) {
    now += time.toNanos();
  }

  @Test
  void aPartitionIsFinishedUpToTheFirstThatIsNot() {
    PartitionBuffer buffer = buffer();
    for (int i = 1; i <= 4; i++) {
      buffer.add("a", "" + i * 10, message("k" + i, "m" + i));
    }
    List<Delivery> all = buffer.take(10);
    assertThat(texts(all)).containsExactly("m1", "m2", "m3", "m4");
    assertThat(all.get(1).place()).contains(new LogPosition("a", "10", "20"));
    buffer.acknowledge(List.of(all.get(1), all.get(2)));
    assertThat(buffer.reached("a")).isEqualTo("0");
    all.getFirst().acknowledge();
    assertThat(buffer.reached("a")).isEqualTo("30");
    assertThat(buffer.fetched("a")).isEqualTo("40");
    assertThat(told)
        .containsExactly(
            new LogPosition("a", "10", "20"),
            new LogPosition("a", "20", "30"),
            new LogPosition("a", "0", "10"));
  }

  @Test
  void thoseOfAKeyComeTogetherOnlyWhereThatIsAllowed() {
    PartitionBuffer strict = buffer(SubscribeSettings.defaults().withRuns(false));
    PartitionBuffer runs = buffer();
    for (PartitionBuffer each : List.of(strict, runs)) {
      each.add("a", "1", message("k", "m1"));
      each.add("a", "2", message("k", "m2"));
      each.add("a", "3", message("", "free"));
    }
    assertThat(texts(runs.take(10))).containsExactly("m1", "m2", "free");
    List<Delivery> first = strict.take(10);
    assertThat(texts(first)).containsExactly("m1", "free");
    assertThat(strict.take(10)).isEmpty();
    first.getFirst().acknowledge();
    assertThat(texts(strict.take(10))).containsExactly("m2");
  }

  @Test
  void oneThatIsTriedAgainHoldsBackItsKeyAlone() {
    PartitionBuffer buffer = buffer();
    buffer.add("a", "1", message("k", "m1"));
    buffer.add("a", "2", message("k", "m2"));
    buffer.add("a", "3", message("other", "m3"));
    List<Delivery> first = buffer.take(2);
    assertThat(texts(first)).containsExactly("m1", "m2");
    first.get(0).retry(Duration.ofSeconds(1));
    first.get(1).retry(Duration.ZERO);
    assertThat(texts(buffer.take(10))).containsExactly("m3");
    pass(Duration.ofSeconds(1));
    List<Delivery> again = buffer.take(10);
    assertThat(texts(again)).containsExactly("m1", "m2");
    assertThat(again.getFirst().attempt()).isEqualTo(2);
  }

  @Test
  void behindOneThatIsTriedAgainNothingMovesAndAfterItEverythingDoes() {
    PartitionBuffer buffer = buffer();
    for (int i = 1; i <= 4; i++) {
      buffer.add("a", "" + i, message("k" + i, "m" + i));
    }
    List<Delivery> first = buffer.take(2);
    first.get(0).retry(Duration.ofSeconds(1));
    first.get(1).acknowledge();
    List<Delivery> third = buffer.take(1);
    assertThat(places(third)).containsExactly(new LogPosition("a", "0", "0"));
    buffer.acknowledge(third);
    pass(Duration.ofSeconds(1));
    assertThat(places(buffer.take(10)))
        .containsExactly(new LogPosition("a", "0", "3"), new LogPosition("a", "3", "4"));
  }

  @Test
  void whatIsTakenBehindAGapStandsWhereTheOneBeforeTheGapEnds() {
    PartitionBuffer buffer = buffer();
    for (int i = 1; i <= 3; i++) {
      buffer.add("a", "" + i, message("k" + i, "m" + i));
    }
    List<Delivery> all = buffer.take(10);
    all.get(0).retry(Duration.ZERO);
    all.get(1).retry(Duration.ofSeconds(1));
    all.get(2).retry(Duration.ZERO);
    assertThat(places(buffer.take(10)))
        .containsExactly(new LogPosition("a", "0", "1"), new LogPosition("a", "1", "1"));
  }

  private static List<LogPosition> places(List<Delivery> deliveries) {
    return deliveries.stream().map(each -> each.place().orElseThrow()).toList();
  }

  @Test
  void itSaysWhenTheNextIsDue() {
    PartitionBuffer buffer = buffer();
    assertThat(buffer.nanosUntilDue(77)).isEqualTo(77);
    now++;
    buffer.add("a", "1", message("k", "m1"));
    buffer.add("a", "2", message("k", "m2"));
    assertThat(buffer.nanosUntilDue(77)).isZero();
    buffer.take(10).forEach(each -> each.retry(Duration.ofNanos(50)));
    assertThat(buffer.nanosUntilDue(77)).isEqualTo(50);
  }

  @Test
  void whoWaitsForOneThatIsTriedAgainLooksWhenThatOneIsDue() {
    PartitionBuffer buffer = buffer();
    buffer.add("a", "1", message("k", "m1"));
    buffer.take(1).getFirst().retry(Duration.ofNanos(50));
    buffer.add("a", "2", message("k", "m2"));
    now += 10;
    assertThat(buffer.take(10)).isEmpty();
    assertThat(buffer.nanosUntilDue(77)).isEqualTo(40);
    now += 40;
    assertThat(buffer.nanosUntilDue(77)).as("it became due since the last take").isZero();
    assertThat(texts(buffer.take(10))).containsExactly("m1", "m2");
  }

  @Test
  void aLimitDoesNotLetALaterOnePass() {
    PartitionBuffer buffer = buffer();
    buffer.add("a", "1", message("k", "m1"));
    buffer.add("a", "2", message("k", "m2"));
    assertThat(texts(buffer.take(1))).containsExactly("m1");
    assertThat(buffer.take(10)).isEmpty();
  }

  @Test
  void noMoreAreOutThanAllowed() {
    PartitionBuffer buffer = buffer(SubscribeSettings.defaults().withMaxUnacknowledged(2));
    for (int i = 1; i <= 3; i++) {
      buffer.add("a", "" + i, message("", "m" + i));
    }
    List<Delivery> two = buffer.take(10);
    assertThat(texts(two)).containsExactly("m1", "m2");
    assertThat(buffer.take(10)).isEmpty();
    two.getFirst().retry(Duration.ofSeconds(1));
    assertThat(texts(buffer.take(10))).containsExactly("m3");
  }

  @Test
  void whatIsNotAcknowledgedInTimeComesAgainUnlessItIsExtended() {
    PartitionBuffer buffer =
        buffer(SubscribeSettings.defaults().withAckWithin(Duration.ofSeconds(2)));
    buffer.add("a", "1", message("k", "m1"));
    Delivery first = buffer.take(1).getFirst();
    pass(Duration.ofSeconds(1));
    first.extend();
    pass(Duration.ofMillis(1500));
    assertThat(buffer.take(1)).isEmpty();
    pass(Duration.ofMillis(600));
    Delivery second = buffer.take(1).getFirst();
    assertThat(second.attempt()).isEqualTo(2);
    pass(Duration.ofMillis(1500));
    first.extend();
    first.retry(Duration.ofHours(1));
    pass(Duration.ofMillis(600));
    assertThat(buffer.take(1).getFirst().attempt()).isEqualTo(3);
    first.acknowledge(); // late, but true
    assertThat(buffer.reached("a")).isEqualTo("1");
    second.acknowledge();
    assertThat(told).hasSize(1);
  }

  @Test
  void whatCameFromAnotherSubscriptionIsRefused() {
    PartitionBuffer buffer = buffer();
    Delivery stranger =
        new Delivery() {
          @Override
          public Message message() {
            return PartitionBufferTest.message("k", "m");
          }

          @Override
          public long attempt() {
            return 1;
          }

          @Override
          public void acknowledge() {}

          @Override
          public void retry(Duration pause) {}

          @Override
          public void extend() {}
        };
    assertThatThrownBy(() -> buffer.acknowledge(List.of(stranger)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("another subscription");
    assertThat(told).isEmpty();
  }

  @Test
  void whatIsOutOfAPartitionThatWasTakenAwayCannotBeAcknowledged() {
    PartitionBuffer buffer = buffer(SubscribeSettings.defaults().withMaxUnacknowledged(1));
    buffer.add("b", "1", message("", "m1"));
    Delivery before = buffer.take(1).getFirst();
    assertThat(buffer.isIdle("b")).isFalse();
    buffer.open("b", "");
    assertThatThrownBy(before::acknowledge).isInstanceOf(StoreException.class);
    assertThat(buffer.reached("b")).isEmpty();
    assertThat(told).isEmpty();
    buffer.add("b", "1", message("", "m1"));
    assertThat(buffer.take(1)).hasSize(1);
  }

  @Test
  void aPartitionHasRoomForSoManyAndSoMuch() {
    PartitionBuffer buffer = buffer();
    for (int i = 1; i <= PartitionBuffer.MAX_KEPT_PER_PARTITION; i++) {
      assertThat(buffer.hasRoom("a")).isTrue();
      buffer.add("a", "" + i, message("", "m"));
    }
    assertThat(buffer.hasRoom("a")).isFalse();
    buffer.take(1).getFirst().acknowledge();
    assertThat(buffer.hasRoom("a")).isTrue();
    buffer.add(
        "b", "1", Message.of("orders", new byte[(int) PartitionBuffer.MAX_BYTES_PER_PARTITION]));
    assertThat(buffer.hasRoom("b")).isFalse();
    assertThat(buffer.hasRoom("unknown")).isFalse();
  }

  @Test
  void partitionsTakeTurns() {
    PartitionBuffer buffer = buffer();
    for (int i = 1; i <= 4; i++) {
      buffer.add("a", "" + i, message("", "a" + i));
      buffer.add("b", "" + i, message("", "b" + i));
    }
    assertThat(texts(buffer.take(2))).containsExactly("a1", "a2");
    assertThat(texts(buffer.take(2))).containsExactly("b1", "b2");
  }
}
