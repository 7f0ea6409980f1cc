package dev.semel.outbox;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.RetryingEntry;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.IntPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The partitions that a relay holds, their lease, and the name under which the outbox knows the
 * relay: takes partitions, renews them by heartbeats, and gives up surplus ones. For the relay's
 * thread, except for {@link #relay}.
 */
final class RelayLeases {
  private static final long LOOK_EVERYWHERE_NANOS = Duration.ofSeconds(10).toNanos();

  /**
   * The longest pause between heartbeats, however long the lease, so that partitions that another
   * relay handed over don't wait long.
   */
  private static final long LOOK_AROUND_NANOS = Duration.ofSeconds(3).toNanos();

  private final Platform platform;
  private final OutboxStore store;
  private final Duration lease;
  private final Map<Integer, PartitionLease> held = new TreeMap<>();
  private volatile String relay = draw();
  private int share = OutboxStore.PARTITIONS;
  private long heartbeatDue;
  private long ends;
  private long epoch;

  RelayLeases(Platform platform, OutboxStore store, Duration lease) {
    this.platform = platform;
    this.store = store;
    this.lease = lease;
    this.heartbeatDue = platform.nanos();
    this.ends = heartbeatDue;
  }

  private static String draw() {
    return "relay-" + Ids.uuid7();
  }

  /**
   * The name under which the outbox knows this relay now; it changes after a release without an
   * answer.
   */
  String relay() {
    return relay;
  }

  Collection<PartitionLease> held() {
    return held.values();
  }

  @Nullable PartitionLease find(int partition) {
    return held.get(partition);
  }

  /** Changes whenever partitions were gained, or all were lost. */
  long epoch() {
    return epoch;
  }

  /** When the next heartbeat is due. */
  long heartbeatDue() {
    return heartbeatDue;
  }

  /** Sets the time of the next heartbeat. */
  void heartbeatAt(long nanos) {
    heartbeatDue = nanos;
  }

  /** Makes the next turn send a heartbeat: another relay seems to hold partitions of this one. */
  void heartbeatSoon() {
    heartbeatDue = platform.nanos();
  }

  void heartbeatIfDue(RelayCounts counts) {
    long now = platform.nanos();
    if (heartbeatDue - now <= 0 || ends - now <= 0) {
      heartbeat(counts);
    }
  }

  void heartbeat(RelayCounts counts) {
    long asked = platform.nanos();
    if (ends - asked <= 0) {
      loseAll(); // another relay may have them
    }
    PartitionAssignment assignment = store.heartbeat(relay, lease, counts);
    long nanos = lease.toNanos();
    ends = asked + nanos / 10 * 9;
    heartbeatDue = asked + Math.min(nanos / 10 * 3, LOOK_AROUND_NANOS);
    share = assignment.share();
    held.keySet().retainAll(assignment.partitions());
    Set<Integer> gained = new HashSet<>(assignment.partitions());
    gained.removeAll(held.keySet());
    if (!gained.isEmpty()) {
      take(gained);
    }
  }

  private void loseAll() {
    held.clear();
    epoch++;
  }

  private void take(Set<Integer> gained) {
    List<RetryingEntry> failed = store.retrying(gained);
    long now = platform.nanos();
    Map<Integer, PartitionLease> fresh = new HashMap<>();
    gained.forEach(p -> fresh.put(p, new PartitionLease(p, LOOK_EVERYWHERE_NANOS, now)));
    for (RetryingEntry each : failed) {
      PartitionLease partitionLease = fresh.get(each.partition());
      if (partitionLease != null) {
        partitionLease.hold(each.orderingKey(), each.place(), now + each.due().toNanos());
      }
    }
    held.putAll(fresh);
    epoch++;
  }

  /**
   * Releases the partitions above this relay's share to a new relay; none of their messages is in
   * flight now.
   */
  void giveUpSurplus() {
    Set<Integer> surplus = new HashSet<>();
    held.keySet().stream().skip(share).forEach(surplus::add);
    if (!surplus.isEmpty()) {
      held.keySet().removeAll(surplus);
      try {
        store.release(relay, surplus);
      } catch (StoreException e) {
        beginAnew(e);
        throw e;
      }
    }
  }

  /**
   * A release without an answer may still arrive later, and would then take away partitions that
   * had come back by then. It can't harm a relay that has left, so this one leaves and continues
   * under a new name.
   */
  private void beginAnew(StoreException unanswered) {
    String former = relay;
    relay = draw();
    loseAll();
    ends = platform.nanos();
    try {
      store.leave(former);
    } catch (StoreException e) {
      unanswered.addSuppressed(e); // its partitions are free when its lease ends
    }
  }

  /**
   * A test for partitions: whether the messages read until now may be sent. A partition that was
   * lost since then does not count as the same, even if it came back.
   */
  IntPredicate sendable() {
    Map<Integer, PartitionLease> read = Map.copyOf(held);
    return partition -> held.get(partition) == read.get(partition) && ends - platform.nanos() > 0;
  }

  /** The fate of the messages read is unknown: reads all of them again. */
  void rewind() {
    held.values().forEach(PartitionLease::rewind);
  }

  /** Hands all partitions over. */
  void leave() {
    store.leave(relay);
  }
}
