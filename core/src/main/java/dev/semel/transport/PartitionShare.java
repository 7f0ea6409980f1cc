package dev.semel.transport;

import dev.semel.Ids;
import dev.semel.StoreException;
import dev.semel.loop.Loop;
import dev.semel.loop.LoopFailures;
import dev.semel.loop.Platform;
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
 * One reader's part of the lanes of a log whose broker does not share them out: they are leased in
 * the consumer's database, and opened in the reader's buffer at the position that is kept there.
 * Leases decide who should read. Who may write is decided by the positions alone: a reader that was
 * replaced while it slept can't move them.
 *
 * <p>For the subscription's thread. Leases are renewed on another, so that a handler may take its
 * time.
 */
public final class PartitionShare implements AutoCloseable {
  /** Leases are renewed so often while they last. */
  private static final String LOOP = "semel-lanes";

  private static final int RENEWALS = 3;

  /** Whoever has too little, or could not renew, asks again so often in the time of a lease. */
  private static final int HASTY_RENEWALS = 10;

  /**
   * Who shares what.
   *
   * @param lanes all there are; every member names the same ones
   * @param lease after this time without a word others take what a member has
   */
  public record Terms(String consumer, Set<String> lanes, Duration lease) {
    public Terms {
      lanes = Set.copyOf(lanes);
    }
  }

  private final Platform machine;
  private final ConsumerPositions positions;
  private final Terms terms;
  private final PartitionBuffer buffer;
  private final String member = Ids.uuid7().toString();
  private final Loop loop;

  /** Held while the database is asked for lanes. */
  private final Lock lock = new ReentrantLock();

  /** What we have, and since when: a lane that was lost in between gets another number. */
  private final Map<String, Long> tenures = new HashMap<>();

  private long lastTenure;
  private int fairShare;
  private boolean holding;
  private long heldUntil;
  private long nextRenewal;

  /** Of the lanes in the buffer; only the subscription's thread looks at these. */
  private final Map<String, Long> opened = new HashMap<>();

  private final Map<String, String> stands = new HashMap<>();
  private boolean moved;

  private PartitionShare(
      Platform machine, ConsumerPositions positions, Terms terms, PartitionBuffer buffer) {
    this.machine = machine;
    this.positions = positions;
    this.terms = terms;
    this.buffer = buffer;
    this.nextRenewal = machine.nanos();
    this.loop =
        Loop.startTimed(machine, LOOP, this::renewBeside, terms.lease().dividedBy(HASTY_RENEWALS));
  }

  /**
   * Takes part at once, under a name that nobody ever had: whoever starts first has all. A database
   * that can't be asked now is asked again later.
   */
  public static PartitionShare start(
      Platform machine, ConsumerPositions positions, Terms terms, PartitionBuffer buffer) {
    PartitionShare share = new PartitionShare(machine, positions, terms, buffer);
    try {
      long unused = share.renewBeside();
    } catch (StoreException e) {
      LoopFailures.report(LOOP, e); // the receiver is told, once the lease has ended
    } catch (RuntimeException e) {
      share.close(); // nobody else can: its caller gets no share
      throw e;
    }
    return share;
  }

  /**
   * Brings the buffer's lanes in line with what this member has: to be called before anything is
   * fetched or handed out. More than its share is given up as soon as nothing of it is out.
   *
   * @throws StoreException the database can't be asked, and what was had may belong to others
   */
  public void update() {
    Map<String, Long> mine;
    machine.lock(lock);
    try {
      renewIfDue();
      giveUpSurplus();
      mine = Map.copyOf(tenures);
    } finally {
      lock.unlock();
    }
    opened.entrySet().removeIf(lane -> dropIfLost(lane.getKey(), lane.getValue(), mine));
    stands.keySet().retainAll(opened.keySet());
    open(mine);
  }

  private boolean dropIfLost(String lane, long tenure, Map<String, Long> mine) {
    Long now = mine.get(lane);
    boolean lost = now == null || now != tenure;
    if (lost) {
      buffer.drop(lane);
    }
    return lost;
  }

  /** Only now that nobody else should write there is the position read. */
  private void open(Map<String, Long> mine) {
    Set<String> unread = new HashSet<>(mine.keySet());
    if (!moved) {
      unread.removeAll(opened.keySet());
    }
    if (unread.isEmpty()) {
      return;
    }
    Map<String, String> read = positions.read(terms.consumer(), unread);
    for (String lane : unread) {
      String position = read.getOrDefault(lane, "");
      if (!opened.containsKey(lane) || !buffer.reached(lane).equals(position)) {
        buffer.open(lane, position);
      }
      opened.put(lane, mine.getOrDefault(lane, 0L));
      stands.put(lane, position);
    }
    moved = false;
  }

  /**
   * As {@link Subscription#reposition} says. A lane that stands where it was thought to goes on.
   */
  public void reposition() {
    moved = true;
  }

  /**
   * For a subscription that keeps the positions itself: moves them to where these lanes are
   * finished. What took effect before may do so again, if this fails.
   *
   * @throws PositionMoved another has read on
   */
  public void advance(Collection<LogPosition> finished) {
    List<LogPosition> steps = new ArrayList<>();
    Set<String> lanes = new TreeSet<>();
    finished.forEach(place -> lanes.add(place.lane()));
    for (String lane : lanes) {
      String from = stands.get(lane);
      if (from != null && !from.equals(buffer.reached(lane))) {
        steps.add(new LogPosition(lane, from, buffer.reached(lane)));
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
    steps.forEach(step -> stands.put(step.lane(), step.next()));
  }

  /** How long the subscription may wait before it should call {@link #update}; at most so long. */
  public long nanosUntilDue(long most) {
    machine.lock(lock);
    try {
      return Math.clamp(nextRenewal - machine.nanos(), 0, Math.max(0, most));
    } finally {
      lock.unlock();
    }
  }

  private long renewBeside() {
    machine.lock(lock);
    try {
      renewIfDue();
      return Math.max(1, nextRenewal - machine.nanos());
    } finally {
      lock.unlock();
    }
  }

  private void renewIfDue() {
    fence();
    if (holding && nextRenewal - machine.nanos() > 0) {
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
   * A lease counts from before it was asked for, and is unbroken only if the next was granted
   * before it ended.
   */
  private void renew() {
    long start = machine.nanos();
    long lease = terms.lease().toNanos();
    nextRenewal = start + lease / HASTY_RENEWALS;
    ConsumerPositions.Share share =
        positions.share(terms.consumer(), member, terms.lanes(), terms.lease());
    fence();
    holding = true;
    heldUntil = start + lease;
    tenures.keySet().retainAll(share.lanes());
    for (String lane : share.lanes()) {
      tenures.computeIfAbsent(lane, l -> ++lastTenure);
    }
    fairShare = share.of(terms.lanes().size());
    if (tenures.size() >= fairShare) {
      nextRenewal = start + lease / RENEWALS;
    }
  }

  /** By our own clock, which does not depend on anyone's answer. */
  private void fence() {
    if (holding && heldUntil - machine.nanos() <= 0) {
      holding = false;
      tenures.clear();
    }
  }

  /** A failure leaves lanes that the next renewal finds again, or that are free at their end. */
  private void giveUpSurplus() {
    int surplus = tenures.size() - fairShare;
    if (!holding || surplus <= 0) {
      return;
    }
    Set<String> given = new HashSet<>();
    for (String lane : new TreeSet<>(tenures.keySet()).descendingSet()) {
      if (given.size() < surplus && buffer.isIdle(lane)) {
        given.add(lane);
      }
    }
    if (!given.isEmpty()) {
      given.forEach(buffer::drop);
      tenures.keySet().removeAll(given);
      positions.release(terms.consumer(), member, given);
    }
  }

  /** What is left of the leases others need not wait for. */
  @Override
  public void close() {
    loop.close();
    opened.keySet().forEach(buffer::drop);
    opened.clear();
    try {
      positions.leave(terms.consumer(), member);
    } catch (StoreException e) {
      LoopFailures.report(LOOP, e); // they end by themselves
    }
  }
}
