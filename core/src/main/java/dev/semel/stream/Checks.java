package dev.semel.stream;

import java.util.List;
import java.util.Optional;

/**
 * Decides what a request changes and what its caller is told, and changes nothing. To be asked by
 * the table's one writer, in the order in which requests are to take effect; every decision's
 * changes are applied before the next one is asked for.
 *
 * <p>Times are epoch milliseconds on the engine's clock.
 */
public final class Checks {
  private final Limits limits;

  public Checks(Limits limits) {
    this.limits = limits;
  }

  public Decision<Answer.ToCreate> create(
      StreamTable table, Create request, Boundaries boundaries, long now) {
    return new CreateCheck(table, request, limits, now).decide(boundaries);
  }

  public Decision<Answer.ToAppend> append(
      StreamTable table, StreamPath path, Append request, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return Decision.reply(new Answer.Missing());
    }
    return state.goneFor(now)
        ? Decision.reply(new Answer.Gone())
        : new AppendCheck(state, request, limits, now).decide();
  }

  public Decision<Answer.ToDelete> delete(StreamTable table, StreamPath path, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return Decision.reply(new Answer.Missing());
    }
    return state.goneFor(now)
        ? Decision.reply(new Answer.Gone())
        : Decision.write(new Answer.Deleted(), new Change.Deleted(state.incarnation(), now));
  }

  /** Looking at a stream does not keep it alive. */
  public Answer.ToHead head(StreamTable table, StreamPath path, long now) {
    StreamState state = table.get(path);
    if (state == null || absent(state, now)) {
      return new Answer.Missing();
    }
    return state.goneFor(now) ? new Answer.Gone() : new Answer.Found(state.head());
  }

  /** The stream as long as it is there for its callers. */
  public static Optional<StreamState> live(StreamTable table, StreamPath path, long now) {
    return table.find(path).filter(state -> !state.goneFor(now) && !state.expired(now));
  }

  /** An expired stream that nobody forked is not there, even before a sweep finds it. */
  private static boolean absent(StreamState state, long now) {
    return state.expired(now) && state.forks() == 0;
  }

  /** Whether a read begins an idle window again: only streams that have one change. */
  public static Optional<Change> touch(StreamState state, long now) {
    return state.config().expiry() instanceof Expiry.Idle
        ? Optional.of(new Change.Touched(state.incarnation(), now))
        : Optional.empty();
  }

  /** What a sweep ends: the stream, or producers that are long idle. */
  public List<Change> due(StreamState state, long now) {
    long stream = state.incarnation();
    if (state.expired(now)) {
      return List.of(new Change.Expired(stream, now));
    }
    return state
        .producersIdleSince(now - limits.producerIdle().toMillis())
        .<Change>map(p -> new Change.ProducerExpired(stream, now, p.id(), p.managed()))
        .toList();
  }

  /**
   * Shuts out all epochs of a producer below this one.
   *
   * @return empty: there is no such producer, or it has reached that epoch already
   */
  public static Optional<Change> fence(
      StreamState state, String id, boolean managed, long epoch, long now) {
    Digits.check("the producer's epoch", epoch);
    ProducerState known = state.producer(id, managed);
    return known == null || known.epoch() >= epoch
        ? Optional.empty()
        : Optional.of(new Change.ProducerFenced(state.incarnation(), now, id, managed, epoch));
  }
}
