package dev.semel.stream.internal;

import dev.semel.stream.StreamLimits;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamResult;
import java.util.List;
import java.util.Optional;

/**
 * Decides what a request changes and what its caller gets, without changing anything. The table's
 * one writer asks it, in the order in which requests take effect, and applies each decision's
 * changes before it asks for the next.
 *
 * <p>Times are epoch milliseconds on the engine's clock.
 */
public final class RequestChecks {
  private final StreamLimits limits;

  public RequestChecks(StreamLimits limits) {
    this.limits = limits;
  }

  public ChangeDecision<StreamResult.ToCreate> create(
      StreamTable table, CreateRequest request, MessageBoundaries boundaries, long now) {
    return new CreateCheck(table, request, limits, now).decide(boundaries);
  }

  public ChangeDecision<StreamResult.ToAppend> append(
      StreamTable table, StreamPath path, AppendRequest request, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return ChangeDecision.reply(new StreamResult.Missing());
    }
    return state.goneFor(now)
        ? ChangeDecision.reply(new StreamResult.Gone())
        : new AppendCheck(state, request, limits, now).decide();
  }

  public ChangeDecision<StreamResult.ToDelete> delete(
      StreamTable table, StreamPath path, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return ChangeDecision.reply(new StreamResult.Missing());
    }
    return state.goneFor(now)
        ? ChangeDecision.reply(new StreamResult.Gone())
        : ChangeDecision.write(
            new StreamResult.Deleted(), new StreamChange.Deleted(state.incarnation(), now));
  }

  /** HEAD does not keep a stream from expiring. */
  public StreamResult.ToHead head(StreamTable table, StreamPath path, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return new StreamResult.Missing();
    }
    return state.goneFor(now) ? new StreamResult.Gone() : new StreamResult.Found(state.head());
  }

  /** The stream, if its callers can see it. */
  public static Optional<StreamState> live(StreamTable table, StreamPath path, long now) {
    return table.find(path).filter(state -> !state.goneFor(now) && !state.expired(now));
  }

  /** An expired stream without forks does not exist, even before a sweep finds it. */
  private static boolean absent(StreamState state, long now) {
    return state.expired(now) && state.forks() == 0;
  }

  /** The change that restarts the idle window; only for streams that have one. */
  public static Optional<StreamChange> touch(StreamState state, long now) {
    return state.config().expiry() instanceof StreamExpiry.Idle
        ? Optional.of(new StreamChange.Touched(state.incarnation(), now))
        : Optional.empty();
  }

  /** The changes that a sweep makes: the stream expires, or producers that were idle for long. */
  public List<StreamChange> due(StreamState state, long now) {
    long stream = state.incarnation();
    if (state.expired(now)) {
      return List.of(new StreamChange.Expired(stream, now));
    }
    return state
        .producersIdleSince(now - limits.producerIdle().toMillis())
        .<StreamChange>map(p -> new StreamChange.ProducerExpired(stream, now, p.id(), p.managed()))
        .toList();
  }

  /**
   * Fences all epochs of a producer below this one.
   *
   * @return empty: there is no such producer, or it has reached that epoch already
   */
  public static Optional<StreamChange> fence(
      StreamState state, String id, boolean managed, long epoch, long now) {
    HeaderDigits.check("the producer's epoch", epoch);
    ProducerState known = state.producer(id, managed);
    return known == null || known.epoch() >= epoch
        ? Optional.empty()
        : Optional.of(
            new StreamChange.ProducerFenced(state.incarnation(), now, id, managed, epoch));
  }
}
