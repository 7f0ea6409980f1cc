package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import dev.semel.stream.client.ProducerSettings.Start;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.internal.HeaderDigits;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The rules of a producer: what is sent when, and what an answer means. It has no threads and no
 * network; the producer's lock guards it.
 *
 * <p>Invariant: the server accepts a batch only after the one before it in the same epoch. So a
 * batch that is in the stream proves that all earlier ones are; a batch that came too early is sent
 * again when an earlier one is in the stream; and batches are renumbered only under another epoch,
 * when nothing of the old one is in flight and every batch that may have been accepted was reported
 * as in doubt.
 */
final class ProducerWindow {
  /**
   * Claimed epochs are a random distance apart, up to this. So two producers that claim at the same
   * moment get different epochs, and the lower one is fenced instead of mistaken for the other.
   * Wide enough that they hardly ever collide, and narrow enough for tens of millions of claims.
   */
  private static final long CLAIM_SPREAD = 1 << 28;

  /**
   * A sequence that no server can be waiting for: the server answers with its state, and accepts
   * nothing.
   */
  private static final long QUESTION_SEQ = HeaderDigits.MAX;

  private static final byte[] QUESTION = {'0'};
  private static final Duration FIRST_PAUSE = Duration.ofMillis(20);
  private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);

  private enum Mode {
    /** Asks what the server knows of this producer. */
    ASKING,
    OPEN,
    /** Waits for requests in flight, then continues under another epoch. */
    CLAIMING,
    /** Waits for requests in flight, then fails everything left. */
    ENDING,
    ENDED
  }

  private final Platform platform;
  private final String producer;
  private final ProducerSettings settings;
  private final Deque<ProducerBatch> unacked = new ArrayDeque<>();
  private final ProducerBatch question = new ProducerBatch(false, false, 0);
  private List<SettledBatch> settled = new ArrayList<>();
  private Mode mode;
  private long epoch;
  private long nextSeq;
  private long firstSeq;

  /** Whether the server knows the epoch: until then it refuses all but the first batch. */
  private boolean established;

  private int inFlight;
  private long claimAbove;
  private @Nullable Backoff backoff;
  private long troubleSince;
  private long pausedUntil;
  private @Nullable StoreException trouble;
  private @Nullable ProducerException end;

  ProducerWindow(Platform platform, String producer, ProducerSettings settings) {
    this.platform = platform;
    this.producer = producer;
    this.settings = settings;
    this.pausedUntil = platform.nanos();
    question.add(QUESTION, null);
    question.seq = QUESTION_SEQ;
    this.mode = settings.start() instanceof Start.Fixed ? Mode.OPEN : Mode.ASKING;
    this.epoch =
        switch (settings.start()) {
          case Start.Claim c -> 0;
          case Start.Fixed f -> f.epoch();
          case Start.Resume r -> r.epoch();
        };
  }

  int inFlight() {
    return inFlight;
  }

  /** Empty until the server was asked. */
  OptionalLong epoch() {
    return mode == Mode.ASKING ? OptionalLong.empty() : OptionalLong.of(epoch);
  }

  long firstSeq() {
    return firstSeq;
  }

  /** Why nothing more is sent. */
  @Nullable ProducerException end() {
    return end;
  }

  boolean ended() {
    return mode == Mode.ENDED;
  }

  /**
   * The next shipment, which the caller must send.
   *
   * @param more supplies the next batch that was never sent
   */
  @Nullable BatchShipment next(long now, Supplier<@Nullable ProducerBatch> more) {
    if (pausedUntil - now > 0 || inFlight >= (established ? settings.maxInFlight() : 1)) {
      return null;
    }
    ProducerBatch batch =
        switch (mode) {
          case ASKING -> question;
          case OPEN -> nextBatch(more);
          case CLAIMING, ENDING, ENDED -> null;
        };
    if (batch == null) {
      return null;
    }
    batch.underWay = true;
    batch.behind = unacked.isEmpty() ? nextSeq : unacked.getFirst().seq;
    inFlight++;
    return new BatchShipment(
        batch, new BatchRequest(producer, epoch, batch.seq, batch.body(), batch.closes()));
  }

  private @Nullable ProducerBatch nextBatch(Supplier<@Nullable ProducerBatch> more) {
    for (ProducerBatch each : unacked) {
      if (each.refused != null) {
        return null;
      }
      if (!each.underWay) {
        return each.held ? null : each;
      }
    }
    ProducerBatch fresh = more.get();
    if (fresh != null) {
      fresh.seq = nextSeq++;
      unacked.add(fresh);
    }
    return fresh;
  }

  void answered(ProducerBatch batch, BatchResult receipt, long now) {
    inFlight--;
    batch.underWay = false;
    if (batch == question) {
      if (mode == Mode.ASKING) { // not ended meanwhile
        asked(receipt, now);
      }
    } else if (!batch.settled) {
      sent(batch, receipt, now);
    }
  }

  private void asked(BatchResult receipt, long now) {
    boolean resumes = settings.start() instanceof Start.Resume;
    switch (receipt) {
      case BatchResult.Stale s -> {
        if (resumes) {
          fenced(s.current());
        } else {
          begin(s.current());
        }
      }
      case BatchResult.Gap g -> {
        if (resumes) {
          resume(g.expected());
        } else {
          begin(epoch);
        }
      }
      case BatchResult.Refused r -> {
        if (resumes && r.status() == 400) {
          resume(0); // the server only knows an older epoch
        } else {
          end(new ProducerException.Refused(r.status(), r.detail(), null));
        }
      }
      case BatchResult.Closed c -> end(new ProducerException.StreamClosed(null));
      case BatchResult.NotYet n -> pause(n.why(), n.pause(), now);
      case BatchResult.Lost l -> pause(l.why(), Duration.ZERO, now);
      case BatchResult.Accepted a -> end(new ProducerException.EpochTaken(null));
      case BatchResult.Duplicate d -> end(new ProducerException.EpochTaken(null));
    }
  }

  private void begin(long above) {
    restored();
    claimAbove = above;
    claim();
  }

  private void resume(long seq) {
    restored();
    nextSeq = seq;
    firstSeq = seq;
    established = seq > 0;
    mode = Mode.OPEN;
  }

  private void sent(ProducerBatch batch, BatchResult receipt, long now) {
    switch (receipt) {
      case BatchResult.Accepted a -> there(batch, a.next());
      case BatchResult.Duplicate d -> {
        if (batch.inDoubt) {
          there(batch, d.next());
        } else {
          taken();
        }
      }
      case BatchResult.Stale s -> fenced(s.current());
      case BatchResult.Gap g -> tooEarly(batch, g.expected());
      case BatchResult.Closed c -> end(new ProducerException.StreamClosed(null));
      case BatchResult.Refused r -> {
        if (r.itself()) {
          batch.refused = r;
        } else {
          end(new ProducerException.Refused(r.status(), r.detail(), null));
        }
      }
      case BatchResult.NotYet n -> pause(n.why(), n.pause(), now);
      case BatchResult.Lost l -> {
        batch.inDoubt = true;
        pause(l.why(), Duration.ZERO, now);
      }
    }
  }

  /** The batch is in the stream, and so are all before it. */
  private void there(ProducerBatch batch, Optional<String> next) {
    restored();
    established = true;
    while (!unacked.isEmpty() && unacked.getFirst().seq <= batch.seq) {
      ProducerBatch each = unacked.removeFirst();
      settle(
          each,
          new ProducerAck(epoch, each.seq, each.count(), each == batch ? next : Optional.empty()));
    }
    unacked.forEach(each -> each.held = false);
  }

  /** A duplicate of a batch that was sent only once: another producer sent it. */
  private void taken() {
    if (settings.claimsAfterFencing()) {
      claimLater(epoch);
    } else {
      end(new ProducerException.EpochTaken(null));
    }
  }

  private void fenced(long current) {
    if (settings.claimsAfterFencing()) {
      claimLater(current);
    } else {
      end(new ProducerException.Fenced(current, null));
    }
  }

  private void claimLater(long above) {
    claimAbove = Math.max(claimAbove, above);
    if (mode == Mode.OPEN || mode == Mode.ASKING) {
      mode = Mode.CLAIMING;
    }
  }

  private void tooEarly(ProducerBatch batch, long expected) {
    if (expected < batch.behind) {
      end(new ProducerException.SequenceGap(expected, null));
    } else {
      batch.held = unacked.getFirst() != batch;
    }
  }

  private void pause(StoreException why, Duration asked, long now) {
    if (trouble == null) {
      troubleSince = now;
    }
    trouble = why;
    if (pausedUntil - now > 0) {
      return; // several failed at once
    }
    Backoff pauses = backoff == null ? new Backoff(platform, FIRST_PAUSE, LONGEST_PAUSE) : backoff;
    backoff = pauses;
    pausedUntil = now + Math.max(pauses.nextNanos(), asked.toNanos());
  }

  private void restored() {
    trouble = null;
    backoff = null;
  }

  /** Sends no further batch; requests in flight may still arrive. */
  void end(ProducerException reason) {
    if (end == null) {
      end = reason;
      mode = Mode.ENDING;
    }
  }

  /** Stops waiting for answers: batches in flight are in doubt. */
  void abandon() {
    inFlight = 0;
  }

  /** To be called whenever something may have changed. */
  void turn(long now) {
    StoreException last = trouble;
    if (last != null && now - troubleSince > settings.giveUpAfter().toNanos()) {
      end(new ProducerException.GaveUp(null, last));
    }
    if (inFlight > 0) {
      return;
    }
    switch (mode) {
      case OPEN -> tellRefused();
      case CLAIMING -> {
        tellDoubtful();
        claim();
      }
      case ENDING -> {
        fail(unacked);
        unacked.clear();
        mode = Mode.ENDED;
      }
      case ASKING, ENDED -> {}
    }
  }

  /**
   * The refused batch's number is free again, but older requests with later numbers may still be in
   * flight. So the rest continues under another epoch. None of it is in the stream, because it
   * would come after the refused batch.
   */
  private void tellRefused() {
    ProducerBatch first = unacked.peekFirst();
    if (first == null || first.refused == null) {
      return;
    }
    unacked.removeFirst();
    BatchResult.Refused why = first.refused;
    settle(
        first,
        new ProducerException.Refused(why.status(), why.detail(), first.failed(producer, epoch)));
    unacked.forEach(each -> each.inDoubt = false);
    claimAbove = epoch;
    claim();
  }

  private void tellDoubtful() {
    for (ProducerBatch each : List.copyOf(unacked)) {
      if (each.inDoubt) {
        unacked.remove(each);
        settle(each, new ProducerException.Fenced(claimAbove, each.failed(producer, epoch)));
      }
    }
  }

  private void claim() {
    epoch = claimAbove + 1 + platform.random(CLAIM_SPREAD);
    if (epoch > HeaderDigits.MAX) {
      end(new ProducerException.Fenced(claimAbove, null));
      return;
    }
    nextSeq = 0;
    firstSeq = 0;
    established = false;
    for (ProducerBatch each : unacked) {
      each.seq = nextSeq++;
      each.held = false;
    }
    mode = Mode.OPEN;
  }

  /** Fails these batches for the reason that ended the producer. */
  void fail(Iterable<ProducerBatch> batches) {
    if (end == null) {
      throw new IllegalStateException("there is no reason to fail");
    }
    for (ProducerBatch each : batches) {
      settle(each, end.about(each.failed(producer, epoch)));
    }
  }

  private void settle(ProducerBatch batch, ProducerAck ack) {
    batch.settled = true;
    settled.add(new SettledBatch(batch, ack, null));
  }

  private void settle(ProducerBatch batch, ProducerException failure) {
    batch.settled = true;
    settled.add(new SettledBatch(batch, null, failure));
  }

  /** All results since the last call, in the order of their batches. */
  List<SettledBatch> takeSettled() {
    List<SettledBatch> taken = settled;
    settled = new ArrayList<>();
    return taken;
  }

  /** How long there is nothing to do, unless something happens. */
  long restNanos(long now) {
    return pausedUntil - now > 0 ? pausedUntil - now : Long.MAX_VALUE;
  }
}
