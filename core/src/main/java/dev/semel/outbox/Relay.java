package dev.semel.outbox;

import dev.semel.Ids;
import dev.semel.StoreException;
import dev.semel.loop.Backoff;
import dev.semel.loop.Loop;
import dev.semel.loop.Platform;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Takes messages from an outbox to a broker, each at least once and those of one ordering key in
 * order. Any number of relays share the work: each has some partitions, and those of one that died
 * go to the others when its lease is over. One that can't keep its lease stops by itself.
 *
 * <p>Publish, then mark: a message leaves the table only after the broker confirmed it. What a
 * crash between the two leaves behind is sent again with the same id, which broker and inbox know.
 */
public final class Relay implements AutoCloseable {
  /** For the transport, which should have answered long before. */
  private static final long ANSWER_NANOS = Duration.ofSeconds(60).toNanos();

  private static final long LOOK_EVERYWHERE_NANOS = Duration.ofSeconds(10).toNanos();

  /** However long the lease: partitions that another relay has handed over don't wait for long. */
  private static final long LOOK_AROUND_NANOS = Duration.ofSeconds(3).toNanos();

  private static final Duration FIRST_TROUBLE = Duration.ofMillis(50);
  private static final Duration LONGEST_TROUBLE = Duration.ofSeconds(5);

  /** So many batches in a row, and writers need not ring. */
  private static final int BUSY_TURNS = 8;

  private final Platform platform;
  private final OutboxStore store;
  private final Transport transport;
  private final RelaySettings settings;
  private final RelayListener listener;
  private final RelayLog log = new RelayLog();
  private final Map<Integer, PartitionLease> partitionLeases = new TreeMap<>();
  private final List<OutboxEntry> unmarked = new ArrayList<>();
  private final AutoCloseable bell;
  private final Loop loop;
  private volatile String id = draw();
  private volatile RelayCounts counts = RelayCounts.NONE;
  private volatile boolean closing;
  private int share = OutboxStore.PARTITIONS;
  private long heartbeatDue;
  private long leaseEnds;
  private boolean resting;
  private int busyTurns;
  private @Nullable Backoff trouble;
  private long troubledSince;
  private long pausedUntil;

  private Relay(
      Platform platform,
      OutboxStore store,
      Transport transport,
      RelaySettings settings,
      RelayListener listener) {
    this.platform = platform;
    this.store = store;
    this.transport = transport;
    this.settings = settings;
    this.listener = listener;
    this.heartbeatDue = platform.nanos();
    this.leaseEnds = heartbeatDue;
    this.pausedUntil = heartbeatDue;
    this.loop = Loop.startTimed(platform, "semel-relay", this::turn, FIRST_TROUBLE, this::broken);
    this.bell = store.onBell(loop::wake);
  }

  /** Starts at once. The transport stays the caller's, who closes it after the relay. */
  public static Relay start(OutboxStore store, Transport transport, RelaySettings settings) {
    return start(Platform.REAL, store, transport, settings, RelayListener.NONE);
  }

  /** The same with someone who hears what it does, and on any machine. */
  public static Relay start(
      Platform platform,
      OutboxStore store,
      Transport transport,
      RelaySettings settings,
      RelayListener listener) {
    return new Relay(platform, store, transport, settings, listener);
  }

  /** Looks at once, for whoever knows that something was written. */
  public void wake() {
    loop.wake();
  }

  /** By which the outbox knows it now: another one after a release that nobody answered. */
  public String id() {
    return id;
  }

  private static String draw() {
    return "relay-" + Ids.uuid7();
  }

  public RelayCounts counts() {
    return counts;
  }

  /** Finishes what is on its way and hands its partitions over. */
  @Override
  public void close() {
    closing = true;
    try {
      bell.close();
    } catch (Exception e) {
      troubled(e);
    }
    loop.close();
    try {
      store.leave(id);
    } catch (StoreException e) {
      troubled(e); // they go over when the lease ends
    }
  }

  private long turn() {
    try {
      return act();
    } catch (StoreException e) {
      troubled(e);
      partitionLeases.values().forEach(PartitionLease::rewind);
      return pause();
    }
  }

  /** A bug: {@link Loop} reports it, and it is tried again. */
  private void broken(Exception e) {
    partitionLeases.values().forEach(PartitionLease::rewind);
    listener.troubled(e);
  }

  private void troubled(Exception e) {
    log.troubled(id, e);
    listener.troubled(e);
  }

  private long pause() {
    if (trouble == null) {
      trouble = new Backoff(platform, FIRST_TROUBLE, LONGEST_TROUBLE);
      troubledSince = platform.nanos();
    }
    pausedUntil = platform.nanos() + trouble.nextNanos();
    return restNanos();
  }

  private long act() {
    mark();
    long now = platform.nanos();
    if (heartbeatDue - now <= 0 || leaseEnds - now <= 0) {
      heartbeat();
    }
    giveUpSurplus();
    now = platform.nanos();
    if (pausedUntil - now > 0) {
      return restNanos();
    }
    List<OutboxEntry> batch = read(now);
    if (batch.isEmpty()) {
      return rest();
    }
    if (resting && ++busyTurns >= BUSY_TURNS) {
      ring(false);
    }
    send(batch);
    return pausedUntil - platform.nanos() > 0 ? restNanos() : 0;
  }

  private List<OutboxEntry> read(long now) {
    List<ReadRange> slices = new ArrayList<>();
    partitionLeases.values().forEach(partitionLease -> slices.addAll(partitionLease.slice(now)));
    if (slices.isEmpty()) {
      return List.of();
    }
    List<OutboxEntry> batch = store.read(slices, settings.batch());
    for (OutboxEntry each : batch) {
      partitionLease(each).read(each.place());
    }
    return batch;
  }

  private PartitionLease partitionLease(OutboxEntry message) {
    PartitionLease partitionLease = partitionLeases.get(message.partition());
    if (partitionLease == null) {
      throw new IllegalStateException("the store gave a message of another partition");
    }
    return partitionLease;
  }

  /** Nothing is there: writers shall ring. What came before they knew is looked for once more. */
  private long rest() {
    busyTurns = 0;
    if (!resting && !partitionLeases.isEmpty()) {
      ring(true);
      return 0;
    }
    return restNanos();
  }

  private void ring(boolean wanted) {
    store.resting(id, wanted);
    resting = wanted;
    busyTurns = 0;
  }

  private long restNanos() {
    long now = platform.nanos();
    long until = Math.min(heartbeatDue, Math.max(pausedUntil, now + settings.poll().toNanos()));
    for (PartitionLease each : partitionLeases.values()) {
      until = Math.min(until, Math.max(pausedUntil, each.nextDue(until)));
    }
    return Math.max(1, until - now);
  }

  private void send(List<OutboxEntry> batch) {
    Map<Integer, PartitionLease> read = Map.copyOf(partitionLeases);
    PublishBatch dispatch =
        new PublishBatch(
            platform,
            transport,
            listener,
            settings.maxInFlight(),
            partition -> maySend(partition, read));
    dispatch.run(batch, platform.nanos() + ANSWER_NANOS, () -> keepLease(dispatch.inFlight()));
    unmarked.addAll(dispatch.confirmed());
    for (int partition : dispatch.unfinished()) {
      PartitionLease partitionLease = partitionLeases.get(partition);
      if (partitionLease != null) {
        partitionLease.rewind();
      }
    }
    count(dispatch.confirmed().size(), dispatch.duplicates(), 0, 0);
    mark();
    dispatch.failures().forEach(this::failed);
    if (dispatch.halted()) {
      pause();
    } else if (!dispatch.confirmed().isEmpty()) {
      if (trouble != null) {
        trouble = null;
        log.recovered(id, Duration.ofNanos(platform.nanos() - troubledSince));
      }
    }
  }

  /** A partition that was lost since is no longer the same, even if it came back. */
  private boolean maySend(int partition, Map<Integer, PartitionLease> read) {
    return !closing
        && partitionLeases.get(partition) == read.get(partition)
        && leaseEnds - platform.nanos() > 0;
  }

  /** While messages are under way: a lease that can't be kept only ends the sending. */
  private long keepLease(int inFlight) {
    count(0, 0, 0, 0, inFlight);
    long now = platform.nanos();
    if (heartbeatDue - now <= 0) {
      try {
        heartbeat();
      } catch (StoreException e) {
        troubled(e);
        heartbeatDue = now + FIRST_TROUBLE.toNanos();
      }
    }
    return Math.max(1, heartbeatDue - platform.nanos());
  }

  /** What the broker has leaves the table. It is kept in mind until that is done. */
  private void mark() {
    if (!unmarked.isEmpty()) {
      store.published(List.copyOf(unmarked));
      unmarked.clear();
    }
  }

  private void failed(PublishBatch.Failure failure) {
    OutboxEntry message = failure.message();
    String reason = String.valueOf(failure.reason().getMessage());
    int attempts = message.attempts() + 1;
    Kind kind = failure.reason().kind();
    if (kind == Kind.UNREACHABLE) {
      troubled(failure.reason());
      return;
    }
    boolean forGood = kind == Kind.REFUSED || attempts >= settings.maxAttempts();
    Duration pause =
        Backoff.pause(settings.firstPause(), settings.longestPause(), attempts, platform::random);
    boolean ours =
        forGood ? store.bury(id, message, reason) : store.failed(id, message, reason, pause);
    if (!ours) {
      heartbeatDue = platform.nanos(); // someone else has the partition: which ones are ours?
      return;
    }
    count(0, 0, 1, forGood ? 1 : 0);
    if (forGood) {
      log.dead(message, attempts, reason);
    } else {
      log.failed(message, attempts, settings.maxAttempts(), failure.reason());
    }
    listener.failed(message, reason, forGood);
    PartitionLease partitionLease = partitionLeases.get(message.partition());
    if (partitionLease != null && !forGood) {
      partitionLease.hold(
          message.message().orderingKey(), message.place(), platform.nanos() + pause.toNanos());
    }
  }

  private void heartbeat() {
    long asked = platform.nanos();
    if (leaseEnds - asked <= 0) {
      partitionLeases.clear(); // another may have them: what is known of them is old
      resting = false;
    }
    PartitionAssignment assignment = store.heartbeat(id, settings.lease(), counts);
    long lease = settings.lease().toNanos();
    leaseEnds = asked + lease / 10 * 9;
    heartbeatDue = asked + Math.min(lease / 10 * 3, LOOK_AROUND_NANOS);
    share = assignment.share();
    partitionLeases.keySet().retainAll(assignment.partitions());
    Set<Integer> gained = new HashSet<>(assignment.partitions());
    gained.removeAll(partitionLeases.keySet());
    if (!gained.isEmpty()) {
      take(gained);
    }
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
    partitionLeases.putAll(fresh);
    resting = false;
  }

  /** Another relay has come: it gets some, now that nothing of them is under way. */
  private void giveUpSurplus() {
    Set<Integer> surplus = new HashSet<>();
    partitionLeases.keySet().stream().skip(share).forEach(surplus::add);
    if (!surplus.isEmpty()) {
      partitionLeases.keySet().removeAll(surplus);
      try {
        store.release(id, surplus);
      } catch (StoreException e) {
        beginAnew(e);
        throw e;
      }
    }
  }

  /**
   * What was asked without an answer may be done later, and would then take away partitions that
   * had come back by that time. It can't harm one who has left: so this relay goes on as another.
   */
  private void beginAnew(StoreException unanswered) {
    String former = id;
    id = draw();
    partitionLeases.clear();
    leaseEnds = platform.nanos();
    resting = false;
    try {
      store.leave(former);
    } catch (StoreException e) {
      unanswered.addSuppressed(e); // its partitions are free when its lease ends
    }
  }

  private void count(long published, long duplicates, long failed, long dead) {
    count(published, duplicates, failed, dead, 0);
  }

  private void count(long published, long duplicates, long failed, long dead, int inFlight) {
    RelayCounts now = counts;
    counts =
        new RelayCounts(
            now.published() + published,
            now.duplicates() + duplicates,
            now.failed() + failed,
            now.dead() + dead,
            inFlight);
  }
}
