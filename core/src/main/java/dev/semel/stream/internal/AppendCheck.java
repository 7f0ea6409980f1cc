package dev.semel.stream.internal;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamLimits;
import dev.semel.stream.internal.SenderCheck.Verdict;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.StreamSeq;
import java.util.Optional;

/**
 * Decides one append. The protocol defines the order of the checks: closed, content type, producer,
 * the expected tail, stream sequence, and last the body. A repeated batch gets that answer whatever
 * else is wrong with it by now, because its sender only needs to know that it is in the stream.
 */
final class AppendCheck {
  private final StreamState state;
  private final AppendRequest request;
  private final StreamLimits limits;
  private final long now;

  AppendCheck(StreamState state, AppendRequest request, StreamLimits limits, long now) {
    this.state = state;
    this.request = request;
    this.limits = limits;
    this.now = now;
  }

  ChangeDecision<StreamResult.ToAppend> decide() {
    if (request.body().length() > limits.bodyBytes()) {
      return ChangeDecision.reply(new StreamResult.TooLarge(limits.bodyBytes()));
    }
    if (state.closed()) {
      return closed();
    }
    if (!request.body().absent() && !request.type().equals(Optional.of(state.config().type()))) {
      return ChangeDecision.reply(new StreamResult.OtherType(state.config().type()));
    }
    return switch (SenderCheck.check(state, request)) {
      case Verdict.Unmarked u -> conditions(Optional.empty());
      case Verdict.Accept a -> accepted(a.stamp());
      case Verdict.Repeated r -> repeated(r);
      case Verdict.Refuse r -> ChangeDecision.reply(r.answer());
    };
  }

  private ChangeDecision<StreamResult.ToAppend> closed() {
    BatchStamp closer = state.closedBy().orElse(null);
    if (closer != null && SenderCheck.closedIt(state, request, closer)) {
      return closedAgain(closer);
    }
    boolean again = request.body().absent() && request.sender() instanceof AppendSender.Anonymous;
    return again
        ? touched(new StreamResult.Closed(state.tail(), Optional.empty()))
        : ChangeDecision.reply(new StreamResult.StreamClosed(state.tail()));
  }

  /** The closing batch is still recognised if its producer was forgotten or fenced since. */
  private ChangeDecision<StreamResult.ToAppend> closedAgain(BatchStamp closer) {
    ProducerTuple tuple = closer.tuple();
    ProducerState known = state.producer(tuple.id(), closer.managed());
    return known != null && known.epoch() == tuple.epoch() && known.lastSeq() == tuple.seq()
        ? repeated(new Verdict.Repeated(closer, known))
        : touched(new StreamResult.Duplicate(tuple, Optional.empty(), state.tail(), true));
  }

  private ChangeDecision<StreamResult.ToAppend> repeated(Verdict.Repeated r) {
    ProducerTuple tuple = r.stamp().tuple();
    return touched(
        new StreamResult.Duplicate(
            new ProducerTuple(tuple.id(), r.known().epoch(), r.known().lastSeq()),
            r.known().batch(tuple.seq()),
            state.tail(),
            state.closed()));
  }

  private ChangeDecision<StreamResult.ToAppend> accepted(BatchStamp stamp) {
    boolean isNew = state.producer(stamp.tuple().id(), stamp.managed()) == null;
    if (isNew && state.producerCount() >= limits.producersPerStream()) {
      return ChangeDecision.reply(
          new StreamResult.Full("producers per stream", limits.producersPerStream()));
    }
    return conditions(Optional.of(stamp));
  }

  private ChangeDecision<StreamResult.ToAppend> conditions(Optional<BatchStamp> stamp) {
    Offset tail = state.tail();
    if (request.ifMatch().isPresent() && !request.ifMatch().get().equals(tail)) {
      return ChangeDecision.reply(new StreamResult.TailMoved(tail));
    }
    if (request.seq().isPresent() && state.lastSeq().isPresent()) {
      StreamSeq last = state.lastSeq().get();
      if (request.seq().get().compareTo(last) <= 0) {
        return ChangeDecision.reply(new StreamResult.SeqRegression(last));
      }
    }
    if (!request.body().problem().isEmpty()) {
      return ChangeDecision.reply(new StreamResult.Malformed(request.body().problem()));
    }
    return write(stamp, tail);
  }

  private ChangeDecision<StreamResult.ToAppend> write(Optional<BatchStamp> stamp, Offset tail) {
    Optional<ProducerTuple> producer = stamp.map(BatchStamp::tuple);
    if (request.body().absent()) {
      return ChangeDecision.write(
          new StreamResult.Closed(tail, producer),
          new StreamChange.Closed(state.incarnation(), now, stamp, request.seq()));
    }
    return ChangeDecision.write(
        new StreamResult.Appended(
            tail, tail.plus(request.body().length()), request.close(), producer),
        new StreamChange.Appended(
            state.incarnation(), now, request.body(), stamp, request.seq(), request.close()));
  }

  /** Nothing was written, but the caller was served, so the stream is not idle. */
  private ChangeDecision<StreamResult.ToAppend> touched(StreamResult.ToAppend answer) {
    return RequestChecks.touch(state, now)
        .map(touched -> ChangeDecision.write(answer, touched))
        .orElseGet(() -> ChangeDecision.reply(answer));
  }
}
