package dev.semel.tck.messages;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.internal.Ids;
import dev.semel.tck.Racers;
import dev.semel.transport.spi.ConsumerPositions;
import dev.semel.transport.spi.LogPosition;
import dev.semel.transport.spi.PositionMoved;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * Everything that {@link ConsumerPositions} promises. Extend it to test a database of positions.
 */
public abstract class PositionsContract {
  private static final Duration LEASE = Duration.ofSeconds(2);
  private static final Set<String> PARTITIONS =
      Set.of("orders-0", "orders-1", "orders-2", "orders-3");

  private final String consumer = "c-" + Ids.uuid7();

  protected abstract ConsumerPositions positions();

  /** Returns once the positions' clock has advanced by at least this. */
  protected abstract void elapse(Duration d);

  private ConsumerPositions.Share share(String member) {
    return positions().share(consumer, member, PARTITIONS, LEASE);
  }

  @Test
  void aConsumerStandsWhereItMovedTo() {
    assertThat(positions().read(consumer, PARTITIONS)).hasSize(4).containsEntry("orders-1", "");
    positions()
        .advance(
            consumer,
            List.of(new LogPosition("orders-1", "", "17"), new LogPosition("orders-0", "", "3")));
    positions().advance(consumer, List.of(new LogPosition("orders-1", "17", "größe 18")));
    assertThat(positions().read(consumer, Set.of("orders-0", "orders-1")))
        .isEqualTo(Map.of("orders-0", "3", "orders-1", "größe 18"));
    assertThat(positions().read("other-" + Ids.uuid7(), PARTITIONS)).containsEntry("orders-1", "");
  }

  @Test
  void whoDoesNotStandThereMovesNothing() {
    positions().read(consumer, PARTITIONS);
    positions().advance(consumer, List.of(new LogPosition("orders-1", "", "17")));
    for (String from : List.of("", "16")) {
      assertThatThrownBy(
              () ->
                  positions()
                      .advance(
                          consumer,
                          List.of(
                              new LogPosition("orders-0", "", "1"),
                              new LogPosition("orders-1", from, "18"))))
          .isInstanceOf(PositionMoved.class);
    }
    assertThat(positions().read(consumer, PARTITIONS))
        .containsEntry("orders-0", "")
        .containsEntry("orders-1", "17");
  }

  @Test
  void oneOfManyMovesIt() {
    positions().read(consumer, PARTITIONS);
    List<Boolean> moved =
        Racers.onVirtualThreads(
            8,
            racer -> {
              try {
                positions()
                    .advance(consumer, List.of(new LogPosition("orders-2", "", "to-" + racer)));
                return true;
              } catch (PositionMoved e) {
                return false; // another member was first
              }
            });
    assertThat(moved).containsOnlyOnce(true);
    assertThat(positions().read(consumer, PARTITIONS))
        .containsEntry("orders-2", "to-" + moved.indexOf(true));
  }

  @Test
  void membersSharePartitionsAndNoneHasTwo() {
    ConsumerPositions.Share alone = share("one");
    assertThat(alone).isEqualTo(new ConsumerPositions.Share(1, PARTITIONS));
    ConsumerPositions.Share second = share("two");
    assertThat(second).isEqualTo(new ConsumerPositions.Share(2, Set.of()));
    assertThat(second.of(4)).isEqualTo(2);
    assertThat(share("one").members()).isEqualTo(2);
    positions().release(consumer, "one", Set.of("orders-0", "orders-3"));
    assertThat(share("two").partitions()).containsExactlyInAnyOrder("orders-0", "orders-3");
    assertThat(share("one").partitions()).containsExactlyInAnyOrder("orders-1", "orders-2");
    positions().release(consumer, "two", Set.of("orders-1"));
    assertThat(share("one").partitions()).hasSize(2);
  }

  @Test
  void whoSaysNothingForItsLeaseLosesItsPartitions() {
    assertThat(share("one").partitions()).hasSize(4);
    elapse(LEASE.dividedBy(2));
    assertThat(share("one").partitions()).hasSize(4);
    elapse(LEASE.dividedBy(2).plusMillis(100));
    assertThat(share("two").partitions()).isEmpty();
    elapse(LEASE.plusMillis(100));
    assertThat(share("two")).isEqualTo(new ConsumerPositions.Share(1, PARTITIONS));
    ConsumerPositions.Share late = share("one");
    assertThat(late.partitions()).isEmpty();
    assertThat(late.members()).isEqualTo(2);
  }

  @Test
  void whoLeavesGivesUpEverything() {
    share("one");
    share("two");
    positions().leave(consumer, "one");
    positions().leave(consumer, "one");
    assertThat(share("two")).isEqualTo(new ConsumerPositions.Share(1, PARTITIONS));
  }

  @Test
  void partitionsOfAnotherDestinationAreApart() {
    share("one");
    Set<String> others = Set.of("bills-0", "bills-1");
    assertThat(positions().share(consumer, "two", others, LEASE))
        .isEqualTo(new ConsumerPositions.Share(1, others));
    assertThat(share("one")).isEqualTo(new ConsumerPositions.Share(1, PARTITIONS));
  }

  @Test
  void whoComeTogetherGetNoPartitionTwice() {
    List<String> taken =
        Racers.onVirtualThreads(4, racer -> share("member-" + racer).partitions()).stream()
            .flatMap(Set::stream)
            .toList();
    assertThat(taken).isNotEmpty().doesNotHaveDuplicates().isSubsetOf(PARTITIONS);
  }

  @Test
  void namesThatAreTooLongAreRefused() {
    assertThatThrownBy(() -> positions().read(consumer, Set.of("x".repeat(300))))
        .isInstanceOf(InvalidInput.class);
    assertThatThrownBy(() -> positions().share(consumer, "one", Set.of(), LEASE))
        .isInstanceOf(InvalidInput.class);
  }
}
