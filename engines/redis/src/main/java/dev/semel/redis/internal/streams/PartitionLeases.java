package dev.semel.redis.internal.streams;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.redis.internal.RedisLink;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The partitions of one reader. Members with the same consumer name announce themselves, take free
 * partitions up to their share, and renew the leases. A reader that is silent for too long loses
 * them: nothing renews its leases, and others take over. The machines' clocks decide when to try;
 * the token in Redis decides who may acknowledge.
 */
final class PartitionLeases implements AutoCloseable {
  private static final Duration HUNGRY = Duration.ofMillis(100);
  private static final int LONGEST_HUNGRY = 10;

  /** One reader's ownership of one partition, from taking it to losing it. */
  static final class HeldLease {
    private final StreamPartition partition;
    private final byte[] token;

    /** The lease's end on this machine's clock; Redis's own end is later. */
    private volatile long until;

    HeldLease(StreamPartition partition, byte[] token) {
      this.partition = partition;
      this.token = token;
    }

    StreamPartition partition() {
      return partition;
    }

    byte[] token() {
      return token;
    }
  }

  private final Platform platform;
  private final RedisLink link;
  private final ReaderGroup readership;
  private final Runnable changed;
  private final String member = Ids.uuid7().toString();
  private final Map<Integer, HeldLease> held = new ConcurrentHashMap<>();
  private final ReentrantLock turning = new ReentrantLock();
  private volatile int share;
  private volatile long lastWord;
  private volatile long lastTurn;
  private int drawn; // with the lock held
  private int futile; // with the lock held
  private boolean closed; // with the lock held
  private @Nullable Loop loop;

  /**
   * Starts without partitions.
   *
   * @param changed called when the set of partitions changes
   */
  PartitionLeases(Platform platform, RedisLink link, ReaderGroup readership, Runnable changed) {
    this.platform = platform;
    this.link = link;
    this.readership = readership;
    this.changed = changed;
  }

  /** Records a sign of life from the reader. */
  void word() {
    lastWord = platform.nanos();
  }

  /**
   * Joins the members, or rejoins after silence.
   *
   * @throws StoreException Redis is unreachable
   */
  void ensure() {
    if (loop == null) {
      turn();
      loop =
          Loop.startTimed(
              platform, "semel-redis-lanes", this::turn, readership.lease().dividedBy(3));
    } else if (platform.nanos() - lastTurn > readership.lease().toNanos()) {
      turn();
    }
  }

  /** The reader's lease; empty: another reader has the partition, or may have it. */
  Optional<HeldLease> of(int partition) {
    HeldLease heldLease = held.get(partition);
    return heldLease == null || heldLease.until - platform.nanos() <= 0
        ? Optional.empty()
        : Optional.of(heldLease);
  }

  /** How many partitions to hand over. */
  int surplus() {
    return held.size() - share;
  }

  void lost(HeldLease heldLease) {
    held.remove(heldLease.partition.number(), heldLease);
  }

  /** Hands a partition over, when nothing of it is in flight. */
  void release(HeldLease heldLease) {
    lost(heldLease);
    CompletableFuture<?> unused =
        link.start(StreamScript.RELEASE, lease(heldLease.partition), heldLease.token);
  }

  private long turn() {
    turning.lock();
    try {
      boolean silent = platform.nanos() - lastWord > readership.silence().toNanos();
      if (closed || silent) {
        return readership.lease().toNanos();
      }
      byte[] lease = RedisLink.ascii(readership.lease().toMillis());
      byte[][] members = {StreamPartition.members(readership.destination(), readership.consumer())};
      long living =
          link.finish(link.<Long>start(StreamScript.JOIN, members, RedisLink.ascii(member), lease));
      share = (int) ((readership.partitions() + living - 1) / living);
      boolean fewer = renew(lease);
      boolean more = held.size() < share && take(lease);
      lastTurn = platform.nanos();
      if (fewer || more || held.size() > share) {
        changed.run();
      }
      if (held.size() >= share) {
        futile = 0;
        return readership.lease().toNanos() / 3;
      }
      futile = more ? 0 : Math.min(LONGEST_HUNGRY, futile + 1);
      return Math.min(HUNGRY.multipliedBy(futile + 1).toNanos(), readership.lease().toNanos() / 3);
    } finally {
      turning.unlock();
    }
  }

  /**
   * Renews the leases.
   *
   * @return true when one was lost
   */
  private boolean renew(byte[] lease) {
    long now = platform.nanos();
    List<HeldLease> all = new ArrayList<>(held.values());
    List<CompletableFuture<Long>> sent = new ArrayList<>();
    for (HeldLease each : all) {
      sent.add(link.start(StreamScript.RENEW, lease(each.partition), each.token, lease));
    }
    boolean lost = false;
    for (int i = 0; i < all.size(); i++) {
      if (link.finish(sent.get(i)) == 1) {
        all.get(i).until = now + readership.lease().toNanos();
      } else {
        lost(all.get(i));
        lost = true;
      }
    }
    return lost;
  }

  /** Takes free partitions, starting at a random one so that members rarely collide. */
  private boolean take(byte[] lease) {
    int partitions = readership.partitions();
    int first = (int) platform.random(partitions);
    boolean taken = false;
    for (int i = 0; i < partitions && held.size() < share; i++) {
      StreamPartition partition =
          new StreamPartition(readership.destination(), (first + i) % partitions);
      if (held.containsKey(partition.number())) {
        continue;
      }
      drawn++;
      HeldLease heldLease = new HeldLease(partition, RedisLink.ascii(member + ":" + drawn));
      heldLease.until = platform.nanos() + readership.lease().toNanos();
      if (link.finish(link.<Long>start(StreamScript.TAKE, lease(partition), heldLease.token, lease))
          == 1) {
        held.put(partition.number(), heldLease);
        taken = true;
      }
    }
    return taken;
  }

  private byte[][] lease(StreamPartition partition) {
    return new byte[][] {partition.lease(readership.consumer())};
  }

  @Override
  public void close() {
    if (loop != null) {
      loop.close();
    }
    turning.lock();
    try {
      closed = true;
      List<CompletableFuture<?>> sent = new ArrayList<>();
      for (HeldLease each : held.values()) {
        sent.add(link.start(StreamScript.RELEASE, lease(each.partition), each.token));
      }
      held.clear();
      byte[][] members = {StreamPartition.members(readership.destination(), readership.consumer())};
      sent.add(link.start(StreamScript.LEAVE, members, RedisLink.ascii(member)));
      sent.forEach(this::finishOrLeave);
    } finally {
      turning.unlock();
    }
  }

  /** Waits for the answer; a lease that can't be released now expires. */
  private void finishOrLeave(CompletableFuture<?> sent) {
    try {
      link.finish(sent);
    } catch (StoreException e) {
      return;
    }
  }
}
