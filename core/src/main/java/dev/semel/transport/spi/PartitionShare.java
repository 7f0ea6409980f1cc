package dev.semel.transport.spi;

import dev.semel.StoreException;
import dev.semel.internal.Ids;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Loop;
import dev.semel.loop.internal.LoopFailures;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * One reader's share of the partitions of a log whose broker does not assign them. Readers lease
 * partitions in the consumer's database, and open them in their buffers at the position stored
 * there. Leases decide which reader should read. The positions alone decide which one may write: a
 * reader that was replaced while it slept can't move them.
 *
 * <p>For the subscription's thread. Another thread renews the leases, so that a handler may take
 * long.
 */
public final class PartitionShare implements AutoCloseable {
  private static final String LOOP = "semel-lanes";

  /** Renewals per lease. */
  private static final int RENEWALS = 3;

  /** Renewals per lease while the share is too small, or after a failed renewal. */
  private static final int HASTY_RENEWALS = 10;

  /**
   * What members share.
   *
   * @param partitions all partitions; every member names the same ones
   * @param lease after this time of silence others take a member's partitions
   */
  public record Terms(String consumer, Set<String> partitions, Duration lease) {
    public Terms {
      partitions = Set.copyOf(partitions);
    }
  }

  private final Platform platform;
  private final ConsumerPositions positions;
  private final Terms terms;
  private final PartitionBuffer buffer;
  private final String member = Ids.uuid7().toString();
  private final Loop loop;

  /** Held during calls of the database. */
  private final Lock lock = new ReentrantLock();

  /** Our partitions, each with a number: one that was lost in between gets a new number. */
  private final Map<String, Long> leaseNumbers = new HashMap<>();

  private long lastLeaseNumber;
  private int fairShare;
  private boolean holding;
  private long heldUntil;
  private long nextRenewal;

  /** The numbers of the partitions in the buffer; only the subscription's thread uses these. */
  private final Map<String, Long> opened = new HashMap<>();

  private final Map<String, String> stands = new HashMap<>();
  private boolean moved;

  private PartitionShare(
      Platform platform, ConsumerPositions positions, Terms terms, PartitionBuffer buffer) {
    this.platform = platform;
    this.positions = positions;
    this.terms = terms;
    this.buffer = buffer;
    this.nextRenewal = platform.nanos();
    this.loop =
        Loop.startTimed(platform, LOOP, this::renewBeside, terms.lease().dividedBy(HASTY_RENEWALS));
  }

  /**
   * Joins at once, under a new name: the first member gets all partitions. If the database does not
   * answer now, it is asked again later.
   */
  public static PartitionShare start(
      Platform platform, ConsumerPositions positions, Terms terms, PartitionBuffer buffer) {
    PartitionShare share = new PartitionShare(platform, positions, terms, buffer);
    try {
      long unused = share.renewBeside();
    } catch (StoreException e) {
      LoopFailures.report(LOOP, e); // the receiver gets the failure once the lease has ended
    } catch (RuntimeException e) {
      share.close(); // the caller gets no share that it could close
      throw e;
    }
    return share;
  }

  /**
   * Updates the buffer's partitions to those that this member has: call it before fetching or
   * handing out. Gives up partitions beyond the share as soon as none of their messages is out.
   *
   * @throws StoreException the database does not answer, and our partitions may belong to others
   */
  public void update() {
    Map<String, Long> mine;
    platform.lock(lock);
    try {
      renewIfDue();
      giveUpSurplus();
      mine = Map.copyOf(leaseNumbers);
    } finally {
      lock.unlock();
    }
    opened
        .entrySet()
        .removeIf(partition -> dropIfLost(partition.getKey(), partition.getValue(), mine));
    stands.keySet().retainAll(opened.keySet());
    open(mine);
  }

  private boolean dropIfLost(String partition, long leaseNumber, Map<String, Long> mine) {
    Long now = mine.get(partition);
    boolean lost = now == null || now != leaseNumber;
    if (lost) {
      buffer.drop(partition);
    }
    return lost;
  }

  /** Reads the position only now, when no other reader should write it. */
  private void open(Map<String, Long> mine) {
    Set<String> unread = new HashSet<>(mine.keySet());
    if (!moved) {
      unread.removeAll(opened.keySet());
    }
    if (unread.isEmpty()) {
      return;
    }
    Map<String, String> read = positions.read(terms.consumer(), unread);
    for (String partition : unread) {
      String position = read.getOrDefault(partition, "");
      if (!opened.containsKey(partition) || !buffer.reached(partition).equals(position)) {
        buffer.open(partition, position);
      }
      opened.put(partition, mine.getOrDefault(partition, 0L));
      stands.put(partition, position);
    }
    moved = false;
  }

  /** See {@link Subscription#reposition}. A partition whose position is as expected continues. */
  public void reposition() {
    moved = true;
  }

  /**
   * For a subscription that keeps the positions itself: moves them to where these partitions are
   * finished. If this fails, effects may be repeated.
   *
   * @throws PositionMoved another reader has read on
   */
  public void advance(Collection<LogPosition> finished) {
    List<LogPosition> steps = new ArrayList<>();
    Set<String> partitions = new TreeSet<>();
    finished.forEach(place -> partitions.add(place.partition()));
    for (String partition : partitions) {
      String from = stands.get(partition);
      if (from != null && !from.equals(buffer.reached(partition))) {
        steps.add(new LogPosition(partition, from, buffer.reached(partition)));
      }
    }
    if (steps.isEmpty()) {
      return;
    }
    try {
      positions.advance(terms.consumer(), steps);
    } catch (StoreException e) {
      moved = true;
      throw e;
    }
    steps.forEach(step -> stands.put(step.partition(), step.next()));
  }

  /**
   * How long the subscription may wait before it should call {@link #update}; at most {@code most}.
   */
  public long nanosUntilDue(long most) {
    platform.lock(lock);
    try {
      return Math.clamp(nextRenewal - platform.nanos(), 0, Math.max(0, most));
    } finally {
      lock.unlock();
    }
  }

  private long renewBeside() {
    platform.lock(lock);
    try {
      renewIfDue();
      return Math.max(1, nextRenewal - platform.nanos());
    } finally {
      lock.unlock();
    }
  }

  private void renewIfDue() {
    fence();
    if (holding && nextRenewal - platform.nanos() > 0) {
      return;
    }
    try {
      renew();
    } catch (StoreException e) {
      fence();
      if (!holding) {
        throw e;
      }
      LoopFailures.report(LOOP, e);
    }
  }

  /**
   * A lease counts from before the request, and is unbroken only if the next was granted before it
   * ended.
   */
  private void renew() {
    long start = platform.nanos();
    long lease = terms.lease().toNanos();
    nextRenewal = start + lease / HASTY_RENEWALS;
    ConsumerPositions.Share share =
        positions.share(terms.consumer(), member, terms.partitions(), terms.lease());
    fence();
    holding = true;
    heldUntil = start + lease;
    leaseNumbers.keySet().retainAll(share.partitions());
    for (String partition : share.partitions()) {
      leaseNumbers.computeIfAbsent(partition, l -> ++lastLeaseNumber);
    }
    fairShare = share.of(terms.partitions().size());
    if (leaseNumbers.size() >= fairShare) {
      nextRenewal = start + lease / RENEWALS;
    }
  }

  /** By our own clock, which needs no answer from anyone. */
  private void fence() {
    if (holding && heldUntil - platform.nanos() <= 0) {
      holding = false;
      leaseNumbers.clear();
    }
  }

  /**
   * After a failure, the next renewal finds these partitions again, or they are free when their
   * lease ends.
   */
  private void giveUpSurplus() {
    int surplus = leaseNumbers.size() - fairShare;
    if (!holding || surplus <= 0) {
      return;
    }
    Set<String> given = new HashSet<>();
    for (String partition : new TreeSet<>(leaseNumbers.keySet()).descendingSet()) {
      if (given.size() < surplus && buffer.isIdle(partition)) {
        given.add(partition);
      }
    }
    if (!given.isEmpty()) {
      given.forEach(buffer::drop);
      leaseNumbers.keySet().removeAll(given);
      positions.release(terms.consumer(), member, given);
    }
  }

  /** Releases the leases, so that others need not wait for their end. */
  @Override
  public void close() {
    loop.close();
    opened.keySet().forEach(buffer::drop);
    opened.clear();
    try {
      positions.leave(terms.consumer(), member);
    } catch (StoreException e) {
      LoopFailures.report(LOOP, e); // the leases end anyway
    }
  }
}
