package dev.semel.redis.internal.streams;

import dev.semel.Ids;
import dev.semel.StoreException;
import dev.semel.loop.Loop;
import dev.semel.loop.Platform;
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
 * The lanes that one reader has. Members that share a consumer's name say that they live, take
 * lanes that nobody has until they have their share, and keep them by renewing leases. A reader
 * from which no word came for too long is not kept alive by that: its leases end, and others take
 * over. Clocks decide when to try; who may acknowledge is decided by the token, in Redis.
 */
final class PartitionLeases implements AutoCloseable {
  private static final Duration HUNGRY = Duration.ofMillis(100);
  private static final int LONGEST_HUNGRY = 10;

  /** Of one reader over one lane, from taking it to losing it. */
  static final class Tenure {
    private final StreamPartition lane;
    private final byte[] token;

    /** On the machine's clock; Redis's own ends later. */
    private volatile long until;

    Tenure(StreamPartition lane, byte[] token) {
      this.lane = lane;
      this.token = token;
    }

    StreamPartition lane() {
      return lane;
    }

    byte[] token() {
      return token;
    }
  }

  private final Platform machine;
  private final RedisLink link;
  private final ReaderGroup readership;
  private final Runnable changed;
  private final String member = Ids.uuid7().toString();
  private final Map<Integer, Tenure> held = new ConcurrentHashMap<>();
  private final ReentrantLock turning = new ReentrantLock();
  private volatile int share;
  private volatile long lastWord;
  private volatile long lastTurn;
  private int drawn; // with the lock held
  private int futile; // with the lock held
  private boolean closed; // with the lock held
  private @Nullable Loop loop;

  /**
   * Begins without any.
   *
   * @param changed called when there are more lanes or fewer
   */
  PartitionLeases(Platform machine, RedisLink link, ReaderGroup readership, Runnable changed) {
    this.machine = machine;
    this.link = link;
    this.readership = readership;
    this.changed = changed;
  }

  /** The reader lives. */
  void word() {
    lastWord = machine.nanos();
  }

  /**
   * Joins the others, or comes back after a time without a word.
   *
   * @throws StoreException Redis can't be asked
   */
  void ensure() {
    if (loop == null) {
      turn();
      loop =
          Loop.startTimed(
              machine, "semel-redis-lanes", this::turn, readership.lease().dividedBy(3));
    } else if (machine.nanos() - lastTurn > readership.lease().toNanos()) {
      turn();
    }
  }

  /** Empty: another has the lane, or may have it. */
  Optional<Tenure> of(int lane) {
    Tenure tenure = held.get(lane);
    return tenure == null || tenure.until - machine.nanos() <= 0
        ? Optional.empty()
        : Optional.of(tenure);
  }

  /** How many lanes should go to others. */
  int surplus() {
    return held.size() - share;
  }

  void lost(Tenure tenure) {
    held.remove(tenure.lane.number(), tenure);
  }

  /** Hands it over: nothing of it is under way. */
  void release(Tenure tenure) {
    lost(tenure);
    CompletableFuture<?> unused =
        link.start(StreamScript.RELEASE, lease(tenure.lane), tenure.token);
  }

  private long turn() {
    turning.lock();
    try {
      boolean silent = machine.nanos() - lastWord > readership.silence().toNanos();
      if (closed || silent) {
        return readership.lease().toNanos();
      }
      byte[] lease = RedisLink.ascii(readership.lease().toMillis());
      byte[][] members = {StreamPartition.members(readership.destination(), readership.consumer())};
      long living =
          link.finish(link.<Long>start(StreamScript.JOIN, members, RedisLink.ascii(member), lease));
      share = (int) ((readership.lanes() + living - 1) / living);
      boolean fewer = renew(lease);
      boolean more = held.size() < share && take(lease);
      lastTurn = machine.nanos();
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

  /** True: something was lost. */
  private boolean renew(byte[] lease) {
    long now = machine.nanos();
    List<Tenure> all = new ArrayList<>(held.values());
    List<CompletableFuture<Long>> sent = new ArrayList<>();
    for (Tenure each : all) {
      sent.add(link.start(StreamScript.RENEW, lease(each.lane), each.token, lease));
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

  /** From a place by chance on, so that members that come together seldom meet. */
  private boolean take(byte[] lease) {
    int lanes = readership.lanes();
    int first = (int) machine.random(lanes);
    boolean taken = false;
    for (int i = 0; i < lanes && held.size() < share; i++) {
      StreamPartition lane = new StreamPartition(readership.destination(), (first + i) % lanes);
      if (held.containsKey(lane.number())) {
        continue;
      }
      drawn++;
      Tenure tenure = new Tenure(lane, RedisLink.ascii(member + ":" + drawn));
      tenure.until = machine.nanos() + readership.lease().toNanos();
      if (link.finish(link.<Long>start(StreamScript.TAKE, lease(lane), tenure.token, lease)) == 1) {
        held.put(lane.number(), tenure);
        taken = true;
      }
    }
    return taken;
  }

  private byte[][] lease(StreamPartition lane) {
    return new byte[][] {lane.lease(readership.consumer())};
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
      for (Tenure each : held.values()) {
        sent.add(link.start(StreamScript.RELEASE, lease(each.lane), each.token));
      }
      held.clear();
      byte[][] members = {StreamPartition.members(readership.destination(), readership.consumer())};
      sent.add(link.start(StreamScript.LEAVE, members, RedisLink.ascii(member)));
      sent.forEach(this::finishOrLeave);
    } finally {
      turning.unlock();
    }
  }

  /** What can't be given up now ends by itself. */
  private void finishOrLeave(CompletableFuture<?> sent) {
    try {
      link.finish(sent);
    } catch (StoreException e) {
      return;
    }
  }
}
