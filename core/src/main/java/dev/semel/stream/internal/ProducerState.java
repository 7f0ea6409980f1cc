package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamResult.Batch;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The state of one producer of one stream. Belongs to its {@link StreamState}. */
final class ProducerState {
  /** How many batches a client keeps in flight, and so may repeat. */
  static final int REMEMBERED = 5;

  private static final String NO_HASH = "";

  private long epoch;
  private long lastSeq;
  private long lastUsed;

  /** Start and end of the last batches, each at the place of its sequence. */
  private final long[] batches = new long[2 * REMEMBERED];

  /** The hash of the epoch's first batch; only kept for managed epochs. */
  private String firstHash = NO_HASH;

  long epoch() {
    return epoch;
  }

  /** -1: nothing was written in this epoch. */
  long lastSeq() {
    return lastSeq;
  }

  long lastUsed() {
    return lastUsed;
  }

  boolean startedWith(String hash) {
    return firstHash.equals(hash);
  }

  Optional<Batch> batch(long seq) {
    if (seq < 0 || seq > lastSeq || seq <= lastSeq - REMEMBERED) {
      return Optional.empty();
    }
    int at = 2 * (int) (seq % REMEMBERED);
    return Optional.of(new Batch(new Offset(batches[at]), new Offset(batches[at + 1])));
  }

  void wrote(ProducerTuple tuple, long start, long next, long now) {
    if (tuple.seq() == 0) {
      firstHash = NO_HASH;
    }
    epoch = tuple.epoch();
    lastSeq = tuple.seq();
    lastUsed = now;
    int at = 2 * (int) (tuple.seq() % REMEMBERED);
    batches[at] = start;
    batches[at + 1] = next;
  }

  void startsWith(String hash) {
    firstHash = hash;
  }

  void fence(long newEpoch, long now) {
    epoch = newEpoch;
    lastSeq = -1;
    lastUsed = now;
    firstHash = NO_HASH;
  }

  ProducerState copy() {
    ProducerState copy = new ProducerState();
    copy.epoch = epoch;
    copy.lastSeq = lastSeq;
    copy.lastUsed = lastUsed;
    copy.firstHash = firstHash;
    System.arraycopy(batches, 0, copy.batches, 0, batches.length);
    return copy;
  }

  /** For a snapshot. */
  void writeTo(ByteSink out) {
    out.number(epoch);
    out.number(lastSeq + 1);
    out.number(lastUsed);
    out.text(firstHash);
    for (long place : batches) {
      out.number(place);
    }
  }

  static ProducerState read(ByteSource in) {
    ProducerState state = new ProducerState();
    state.epoch = in.number();
    state.lastSeq = in.number() - 1;
    state.lastUsed = in.number();
    state.firstHash = in.text();
    for (int i = 0; i < state.batches.length; i++) {
      state.batches[i] = in.number();
    }
    return state;
  }

  StreamResult.Producer seen(String id, boolean managed) {
    OptionalLong last = lastSeq < 0 ? OptionalLong.empty() : OptionalLong.of(lastSeq);
    return new StreamResult.Producer(id, managed, epoch, last, lastUsed);
  }

  /** Compares what can be observed: remembered batches, not the array slots of older ones. */
  @Override
  public boolean equals(Object other) {
    if (!(other instanceof ProducerState p)
        || epoch != p.epoch
        || lastSeq != p.lastSeq
        || lastUsed != p.lastUsed
        || !firstHash.equals(p.firstHash)) {
      return false;
    }
    for (long seq = Math.max(0, lastSeq - REMEMBERED); seq <= lastSeq; seq++) {
      if (!batch(seq).equals(p.batch(seq))) {
        return false;
      }
    }
    return true;
  }

  @Override
  public int hashCode() {
    return Objects.hash(epoch, lastSeq, lastUsed, firstHash);
  }
}
