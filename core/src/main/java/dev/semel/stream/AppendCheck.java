package dev.semel.stream;

import dev.semel.stream.SenderCheck.Verdict;
import java.util.Optional;

/**
 * Decides one append. The order of the questions is the protocol's: closed, content type, producer,
 * the tail as the caller knows it, stream sequence, and last the body itself. A batch that came
 * before is told so whatever else is wrong with it by now, because its sender only wants to know
 * that it is there.
 */
final class AppendCheck {
  private final StreamState state;
  private final Append request;
  private final Limits limits;
  private final long now;

  AppendCheck(StreamState state, Append request, Limits limits, long now) {
    this.state = state;
    this.request = request;
    this.limits = limits;
    this.now = now;
  }

  Decision<Answer.ToAppend> decide() {
    if (request.body().length() > limits.bodyBytes()) {
      return Decision.reply(new Answer.TooLarge(limits.bodyBytes()));
    }
    if (state.closed()) {
      return closed();
    }
    if (!request.body().absent() && !request.type().equals(Optional.of(state.config().type()))) {
      return Decision.reply(new Answer.OtherType(state.config().type()));
    }
    return switch (SenderCheck.check(state, request)) {
      case Verdict.Unmarked u -> conditions(Optional.empty());
      case Verdict.Accept a -> accepted(a.stamp());
      case Verdict.Repeated r -> repeated(r);
      case Verdict.Refuse r -> Decision.reply(r.answer());
    };
  }

  private Decision<Answer.ToAppend> closed() {
    Stamp closer = state.closedBy().orElse(null);
    if (closer != null && SenderCheck.closedIt(state, request, closer)) {
      return closedAgain(closer);
    }
    boolean again = request.body().absent() && request.sender() instanceof Sender.Anonymous;
    return again
        ? touched(new Answer.Closed(state.tail(), Optional.empty()))
        : Decision.reply(new Answer.StreamClosed(state.tail()));
  }

  /** The closing batch stays known even if its producer was forgotten or fenced since. */
  private Decision<Answer.ToAppend> closedAgain(Stamp closer) {
    ProducerTuple tuple = closer.tuple();
    ProducerState known = state.producer(tuple.id(), closer.managed());
    return known != null && known.epoch() == tuple.epoch() && known.lastSeq() == tuple.seq()
        ? repeated(new Verdict.Repeated(closer, known))
        : touched(new Answer.Duplicate(tuple, Optional.empty(), state.tail(), true));
  }

  private Decision<Answer.ToAppend> repeated(Verdict.Repeated r) {
    ProducerTuple tuple = r.stamp().tuple();
    return touched(
        new Answer.Duplicate(
            new ProducerTuple(tuple.id(), r.known().epoch(), r.known().lastSeq()),
            r.known().batch(tuple.seq()),
            state.tail(),
            state.closed()));
  }

  private Decision<Answer.ToAppend> accepted(Stamp stamp) {
    boolean isNew = state.producer(stamp.tuple().id(), stamp.managed()) == null;
    if (isNew && state.producerCount() >= limits.producersPerStream()) {
      return Decision.reply(new Answer.Full("producers per stream", limits.producersPerStream()));
    }
    return conditions(Optional.of(stamp));
  }

  private Decision<Answer.ToAppend> conditions(Optional<Stamp> stamp) {
    Offset tail = state.tail();
    if (request.ifMatch().isPresent() && !request.ifMatch().get().equals(tail)) {
      return Decision.reply(new Answer.TailMoved(tail));
    }
    if (request.seq().isPresent() && state.lastSeq().isPresent()) {
      StreamSeq last = state.lastSeq().get();
      if (request.seq().get().compareTo(last) <= 0) {
        return Decision.reply(new Answer.SeqRegression(last));
      }
    }
    if (!request.body().problem().isEmpty()) {
      return Decision.reply(new Answer.Malformed(request.body().problem()));
    }
    return write(stamp, tail);
  }

  private Decision<Answer.ToAppend> write(Optional<Stamp> stamp, Offset tail) {
    Optional<ProducerTuple> producer = stamp.map(Stamp::tuple);
    if (request.body().absent()) {
      return Decision.write(
          new Answer.Closed(tail, producer),
          new Change.Closed(state.incarnation(), now, stamp, request.seq()));
    }
    return Decision.write(
        new Answer.Appended(tail, tail.plus(request.body().length()), request.close(), producer),
        new Change.Appended(
            state.incarnation(), now, request.body(), stamp, request.seq(), request.close()));
  }

  /** Nothing was written, but the caller was served, so the stream is not idle. */
  private Decision<Answer.ToAppend> touched(Answer.ToAppend answer) {
    return Checks.touch(state, now)
        .map(touched -> Decision.write(answer, touched))
        .orElseGet(() -> Decision.reply(answer));
  }
}
