package dev.semel.outbox.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.loop.Platform;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxEntry;
import dev.semel.outbox.spi.OutboxStore;
import dev.semel.outbox.spi.PartitionAssignment;
import dev.semel.outbox.spi.ReadRange;
import dev.semel.outbox.spi.RetryingEntry;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.locks.ReentrantLock;

/** An outbox in memory: for tests, and for messages that may be lost with the process. */
public final class MemoryOutbox implements OutboxStore {
  private static final int PLACE_BITS = 52;

  /** A message in the queue, and its failed tries. */
  private static final class Row {
    final OutboxEntry message;
    int attempts;
    long retryAt;

    Row(OutboxEntry message, long retryAt) {
      this.message = message;
      this.retryAt = retryAt;
    }
  }

  /** The lease of a partition. */
  private record Owner(String relay, long until) {}

  private final Platform platform;
  private final int gap;
  private final ReentrantLock lock = new ReentrantLock();
  private final NavigableMap<Long, Row> rows = new TreeMap<>();
  private final Map<Integer, Owner> owners = new HashMap<>();
  private final Map<String, Long> relays = new HashMap<>();
  private final Map<Message, String> dead = new HashMap<>();
  private final List<Runnable> bells = new CopyOnWriteArrayList<>();
  private long next = 1;

  public MemoryOutbox() {
    this(Platform.REAL, 1);
  }

  /**
   * On any platform.
   *
   * @param gap the gap between the places of two messages: databases leave gaps too
   */
  public MemoryOutbox(Platform platform, int gap) {
    this.platform = platform;
    this.gap = gap;
  }

  /** Adds all messages, in this order, or none. */
  public void add(Message... messages) {
    ExecutionOrigin origin = ExecutionOrigin.current();
    List<Message> all = Arrays.stream(messages).map(each -> each.following(origin)).toList();
    lock.lock();
    try {
      for (Message each : all) {
        int partition =
            each.ordered()
                ? OutboxStore.partition(each.orderingKey())
                : (int) (next % OutboxStore.PARTITIONS);
        long place = ((long) partition << PLACE_BITS) + next * gap;
        next++;
        rows.put(place, new Row(new OutboxEntry(partition, place, 0, each), platform.nanos()));
      }
    } finally {
      lock.unlock();
    }
    bells.forEach(Runnable::run);
  }

  /** How many messages wait. */
  public int pending() {
    lock.lock();
    try {
      return rows.size();
    } finally {
      lock.unlock();
    }
  }

  /** The dead letters, and why they are. */
  public Map<Message, String> dead() {
    lock.lock();
    try {
      return Map.copyOf(dead);
    } finally {
      lock.unlock();
    }
  }

  @Override
  public String describe() {
    return "memory:";
  }

  @Override
  public PartitionAssignment heartbeat(String relay, Duration lease, RelayCounts counts) {
    OutboxStore.requireRelay(relay, lease);
    lock.lock();
    try {
      long now = platform.nanos();
      long until = now + lease.toNanos();
      relays.values().removeIf(end -> end - now <= 0);
      relays.put(relay, until);
      owners.values().removeIf(owner -> owner.until() - now <= 0);
      owners.replaceAll(
          (p, owner) -> owner.relay().equals(relay) ? new Owner(relay, until) : owner);
      Set<Integer> mine = new TreeSet<>(of(relay));
      int share = new PartitionAssignment(relays.size(), mine).share();
      for (int p = 0; p < PARTITIONS && mine.size() < share; p++) {
        if (owners.putIfAbsent(p, new Owner(relay, until)) == null) {
          mine.add(p);
        }
      }
      return new PartitionAssignment(relays.size(), mine);
    } finally {
      lock.unlock();
    }
  }

  private Set<Integer> of(String relay) {
    Set<Integer> mine = new HashSet<>();
    owners.forEach(
        (partition, owner) -> {
          if (owner.relay().equals(relay)) {
            mine.add(partition);
          }
        });
    return mine;
  }

  /** Whether the relay's lease of the partition still holds; for tests of relays. */
  public boolean holds(String relay, int partition) {
    lock.lock();
    try {
      Owner owner = owners.get(partition);
      return owner != null && owner.relay().equals(relay) && owner.until() - platform.nanos() > 0;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void release(String relay, Set<Integer> partitions) {
    lock.lock();
    try {
      owners
          .entrySet()
          .removeIf(e -> partitions.contains(e.getKey()) && e.getValue().relay().equals(relay));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void leave(String relay) {
    lock.lock();
    try {
      relays.remove(relay);
      owners.values().removeIf(owner -> owner.relay().equals(relay));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public List<OutboxEntry> read(List<ReadRange> slices, int limitEach) {
    lock.lock();
    try {
      List<OutboxEntry> found = new ArrayList<>();
      slices.forEach(slice -> found.addAll(read(slice, limitEach)));
      return found;
    } finally {
      lock.unlock();
    }
  }

  private List<OutboxEntry> read(ReadRange slice, int limit) {
    return range(slice.partition()).tailMap(slice.after(), false).values().stream()
        .filter(row -> !slice.heldKeys().contains(row.message.message().orderingKey()))
        .filter(row -> !slice.heldPlaces().contains(row.message.place()))
        .limit(limit)
        .map(MemoryOutbox::queued)
        .toList();
  }

  /** A copy, because a slice may start before its first key. */
  private NavigableMap<Long, Row> range(int partition) {
    long first = (long) partition << PLACE_BITS;
    return new TreeMap<>(rows.subMap(first, (long) (partition + 1) << PLACE_BITS));
  }

  private static OutboxEntry queued(Row row) {
    OutboxEntry first = row.message;
    return new OutboxEntry(first.partition(), first.place(), row.attempts, first.message());
  }

  @Override
  public List<RetryingEntry> retrying(Set<Integer> partitions) {
    lock.lock();
    try {
      long now = platform.nanos();
      Collection<Row> all = rows.values();
      return all.stream()
          .filter(row -> row.attempts > 0 && partitions.contains(row.message.partition()))
          .map(
              row ->
                  new RetryingEntry(
                      row.message.partition(),
                      row.message.place(),
                      row.message.message().orderingKey(),
                      Duration.ofNanos(row.retryAt - now)))
          .toList();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void published(List<OutboxEntry> messages) {
    lock.lock();
    try {
      messages.forEach(each -> rows.remove(each.place()));
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean failed(String relay, OutboxEntry message, String reason, Duration pause) {
    lock.lock();
    try {
      Row row = rows.get(message.place());
      if (row == null || !holds(relay, message.partition())) {
        return false;
      }
      row.attempts = message.attempts() + 1;
      row.retryAt = platform.nanos() + pause.toNanos();
      return true;
    } finally {
      lock.unlock();
    }
  }

  @Override
  public boolean bury(String relay, OutboxEntry message, String reason) {
    lock.lock();
    try {
      if (!holds(relay, message.partition()) || rows.remove(message.place()) == null) {
        return false;
      }
      dead.put(message.message(), reason);
      return true;
    } finally {
      lock.unlock();
    }
  }

  /** Does nothing: ringing costs nothing here. */
  @Override
  public void resting(String relay, boolean resting) {}

  @Override
  public AutoCloseable onBell(Runnable ring) {
    bells.add(ring);
    return () -> bells.remove(ring);
  }
}
