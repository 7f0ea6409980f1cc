package dev.semel.stream.internal;

import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import org.jspecify.annotations.Nullable;

/** Checks whether a batch is next, repeated, or not allowed from this sender. */
final class SenderCheck {
  private SenderCheck() {}

  sealed interface Verdict {
    /** From an anonymous sender: always the next one. */
    record Unmarked() implements Verdict {}

    record Accept(BatchStamp stamp) implements Verdict {}

    record Repeated(BatchStamp stamp, ProducerState known) implements Verdict {}

    record Refuse(StreamResult.ToAppend answer) implements Verdict {}
  }

  static Verdict check(StreamState state, AppendRequest request) {
    return switch (request.sender()) {
      case AppendSender.Anonymous a -> new Verdict.Unmarked();
      case AppendSender.Declared d -> check(d.tuple(), state.producer(d.tuple().id(), false));
      case AppendSender.Managed m ->
          ManagedEpochs.check(m, state.producer(m.id(), true), request.body());
    };
  }

  private static Verdict check(ProducerTuple tuple, @Nullable ProducerState known) {
    BatchStamp stamp = new BatchStamp(tuple, false);
    if (known == null) {
      return tuple.seq() == 0
          ? new Verdict.Accept(stamp)
          : new Verdict.Refuse(new StreamResult.Gap(0, tuple.seq()));
    }
    if (tuple.epoch() < known.epoch()) {
      return new Verdict.Refuse(new StreamResult.StaleEpoch(known.epoch()));
    }
    if (tuple.epoch() > known.epoch()) {
      return tuple.seq() == 0
          ? new Verdict.Accept(stamp)
          : new Verdict.Refuse(
              new StreamResult.Malformed(
                  "the producer's new epoch %d begins with sequence %d: begin with 0"
                      .formatted(tuple.epoch(), tuple.seq())));
    }
    return sameEpoch(stamp, known);
  }

  static Verdict sameEpoch(BatchStamp stamp, ProducerState known) {
    long seq = stamp.tuple().seq();
    if (seq <= known.lastSeq()) {
      return new Verdict.Repeated(stamp, known);
    }
    return seq == known.lastSeq() + 1
        ? new Verdict.Accept(stamp)
        : new Verdict.Refuse(new StreamResult.Gap(known.lastSeq() + 1, seq));
  }

  /** Whether this is the batch that closed the stream, sent again. */
  static boolean closedIt(StreamState state, AppendRequest request, BatchStamp closer) {
    ProducerTuple tuple = closer.tuple();
    return switch (request.sender()) {
      case AppendSender.Anonymous a -> false;
      case AppendSender.Declared d -> !closer.managed() && d.tuple().equals(tuple);
      case AppendSender.Managed m ->
          closer.managed()
              && m.id().equals(tuple.id())
              && m.seq() == tuple.seq()
              && ManagedEpochs.means(
                  m, tuple.epoch(), state.producer(m.id(), true), request.body());
    };
  }
}
