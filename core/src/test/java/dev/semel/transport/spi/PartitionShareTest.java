package dev.semel.transport.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.loop.Platform;
import dev.semel.transport.ManualMachine;
import dev.semel.transport.MemoryPositions;
import dev.semel.transport.Message;
import dev.semel.transport.SubscribeSettings;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class PartitionShareTest {
  private static final Duration LEASE = Duration.ofSeconds(10);
  private static final PartitionShare.Terms TERMS =
      new PartitionShare.Terms("c", Set.of("a", "b", "c", "d"), LEASE);

  private final ManualMachine platform = new ManualMachine();
  private final MemoryPositions positions = new MemoryPositions(platform::nanos);

  private static final class Member {
    final PartitionBuffer buffer;
    final PartitionShare share;

    Member(ManualMachine platform, ConsumerPositions positions) {
      this.buffer = new PartitionBuffer(platform, SubscribeSettings.defaults(), true, places -> {});
      this.share = PartitionShare.start(platform, positions, TERMS, buffer);
    }

    Set<String> partitions() {
      share.update();
      return buffer.partitions();
    }
  }

  private Member member() {
    return new Member(platform, positions);
  }

  private void pass(int millis) {
    platform.pass(Duration.ofMillis(millis));
  }

  private static Message message(String text) {
    return Message.of("orders", text);
  }

  @Test
  void oneAloneHasAllFromWhereTheConsumerStands() {
    positions.advance("c", List.of(new LogPosition("b", "", "17")));
    Member one = member();
    assertThat(one.partitions()).containsExactlyInAnyOrder("a", "b", "c", "d");
    assertThat(one.buffer.fetched("b")).isEqualTo("17");
    assertThat(one.buffer.fetched("a")).isEmpty();
  }

  @Test
  void whoComesLaterGetsItsShareOnceNothingOfItIsOut() {
    Member one = member();
    one.partitions();
    one.buffer.add("c", "1", message("c1"));
    one.buffer.add("d", "1", message("d1"));
    List<Delivery> out = one.buffer.take(2);
    Member two = member();
    assertThat(two.partitions()).isEmpty();
    pass(3400);
    assertThat(one.partitions()).containsExactlyInAnyOrder("c", "d");
    assertThat(two.partitions()).containsExactlyInAnyOrder("a", "b");
    one.buffer.acknowledge(out);
    assertThat(one.partitions()).containsExactlyInAnyOrder("c", "d");
  }

  @Test
  void aPartitionWithSomethingOutIsKeptUntilItIsDone() {
    Member one = member();
    for (String partition : one.partitions()) {
      one.buffer.add(partition, "1", message(partition));
    }
    List<Delivery> out = one.buffer.take(10);
    Member two = member();
    two.partitions();
    pass(3400);
    assertThat(one.partitions()).hasSize(4);
    pass(1100);
    assertThat(two.partitions()).isEmpty();
    one.buffer.acknowledge(out);
    assertThat(one.partitions()).hasSize(2);
    pass(1100);
    assertThat(two.partitions()).hasSize(2).doesNotContainAnyElementsOf(one.buffer.partitions());
  }

  @Test
  void whoLeavesHandsItsPartitionsOverAtOnce() {
    Member one = member();
    one.partitions();
    one.share.close();
    assertThat(one.buffer.partitions()).isEmpty();
    assertThat(member().partitions()).hasSize(4);
  }

  @Test
  void whoSleptPastItsLeaseStartsAgainWhereTheConsumerStands() {
    Member one = member();
    one.partitions();
    one.buffer.add("a", "1", message("a1"));
    Delivery late = one.buffer.take(1).getFirst();
    pass(10_000);
    assertThat(member().partitions()).hasSize(4);
    assertThat(one.partitions()).isEmpty();
    assertThatThrownBy(late::acknowledge).isInstanceOf(StoreException.class);
  }

  @Test
  void aPartitionThatWasLostAndCameBackIsReadAgain() {
    Member one = member();
    one.partitions();
    one.buffer.add("a", "1", message("a1"));
    pass(10_001);
    Member two = member();
    two.partitions();
    positions.advance("c", List.of(new LogPosition("a", "", "7")));
    two.share.close();
    assertThat(one.partitions()).hasSize(4);
    assertThat(one.buffer.fetched("a")).isEqualTo("7");
  }

  @Test
  void anAnswerThatCameAfterTheLeaseLeavesNothingAsItWas() {
    Member one = member();
    one.partitions();
    one.buffer.add("a", "1", message("a1"));
    pass(9_000);
    positions.onShare = () -> pass(2_000);
    assertThat(one.partitions()).hasSize(4);
    assertThat(one.buffer.fetched("a")).isEmpty();
  }

  @Test
  void aStartThatFailsLeavesNothingBehind() {
    List<String> calls = new ArrayList<>();
    ConsumerPositions broken =
        (ConsumerPositions)
            Proxy.newProxyInstance(
                ConsumerPositions.class.getClassLoader(),
                new Class<?>[] {ConsumerPositions.class},
                (proxy, method, arguments) -> {
                  calls.add(method.getName());
                  if (method.getName().equals("leave")) {
                    return null;
                  }
                  throw new IllegalStateException("a bug");
                });
    assertThatThrownBy(() -> new Member(platform, broken))
        .isInstanceOf(IllegalStateException.class);
    assertThat(calls).last().isEqualTo("leave");
  }

  @Test
  void aDatabaseThatIsAwayIsBorneUntilTheLeaseEnds() {
    Member one = member();
    one.partitions();
    positions.away = true;
    pass(9_900);
    assertThat(one.partitions()).hasSize(4);
    pass(100);
    assertThatThrownBy(one::partitions).isInstanceOf(StoreException.class);
    assertThatThrownBy(() -> member().partitions()).isInstanceOf(StoreException.class);
    positions.away = false;
    pass(1_100);
    assertThat(one.partitions()).hasSize(4);
  }

  @Test
  void itAsksTheDatabaseInTimeAndNotMore() {
    Member one = member();
    one.partitions();
    assertThat(one.share.nanosUntilDue(Long.MAX_VALUE)).isEqualTo(LEASE.toNanos() / 3);
    assertThat(one.share.nanosUntilDue(5)).isEqualTo(5);
    Member two = member();
    two.partitions();
    assertThat(two.share.nanosUntilDue(Long.MAX_VALUE)).isEqualTo(LEASE.toNanos() / 10);
    positions.away = true;
    assertThatCode(one::partitions).doesNotThrowAnyException();
  }

  @Test
  void afterAMoveOnlyThePartitionsThatMovedAreReadAgain() {
    Member one = member();
    one.partitions();
    one.buffer.add("a", "1", message("a1"));
    one.buffer.add("b", "1", message("b1"));
    positions.advance("c", List.of(new LogPosition("b", "", "5")));
    one.share.reposition();
    one.partitions();
    assertThat(one.buffer.fetched("a")).isEqualTo("1");
    assertThat(one.buffer.fetched("b")).isEqualTo("5");
  }

  @Test
  void aSubscriptionMayKeepThePositionsItself() {
    Member one = member();
    one.partitions();
    for (int i = 1; i <= 3; i++) {
      one.buffer.add("a", "" + i, message("a" + i));
    }
    List<Delivery> all = one.buffer.take(10);
    List<LogPosition> places = all.stream().map(each -> each.place().orElseThrow()).toList();
    one.buffer.acknowledge(List.of(all.get(1)));
    one.share.advance(List.of(places.get(1)));
    assertThat(positions.read("c", Set.of("a"))).containsEntry("a", "");
    one.buffer.acknowledge(List.of(all.get(0)));
    one.share.advance(List.of(places.get(0)));
    assertThat(positions.read("c", Set.of("a"))).containsEntry("a", "2");
    positions.advance("c", List.of(new LogPosition("a", "2", "9")));
    one.buffer.acknowledge(List.of(all.get(2)));
    assertThatThrownBy(() -> one.share.advance(List.of(places.get(2))))
        .isInstanceOf(PositionMoved.class);
    one.partitions();
    assertThat(one.buffer.fetched("a")).isEqualTo("9");
  }

  @Test
  void leasesAreRenewedWhileAHandlerTakesItsTime() throws InterruptedException {
    CountDownLatch renewed = new CountDownLatch(5);
    positions.onShare = renewed::countDown;
    PartitionShare.Terms terms = new PartitionShare.Terms("c", Set.of("a"), Duration.ofMillis(300));
    PartitionBuffer buffer =
        new PartitionBuffer(Platform.REAL, SubscribeSettings.defaults(), true, places -> {});
    try (PartitionShare share = PartitionShare.start(Platform.REAL, positions, terms, buffer)) {
      assertThat(renewed.await(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS)).isTrue();
      assertThat(share.nanosUntilDue(Long.MAX_VALUE)).isLessThanOrEqualTo(100_000_000);
    }
  }
}
