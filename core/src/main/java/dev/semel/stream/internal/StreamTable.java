package dev.semel.stream.internal;

import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.StreamHead;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The state of all streams of an engine. Deliberately not thread-safe: it belongs to the one writer
 * that decides, writes and applies. The same changes in the same order give an equal table, so
 * recovery is a replay.
 */
public final class StreamTable {
  private final Map<StreamPath, StreamState> byPath = new HashMap<>();
  private final Map<Long, StreamState> byIncarnation = new HashMap<>();
  private long lastIncarnation;
  private int reserved;

  /** The number of streams, including those kept only for their forks. */
  public int size() {
    return byPath.size();
  }

  /** The number of callers' streams, without the server's internal ones. */
  public int callersSize() {
    return byPath.size() - reserved;
  }

  public Optional<StreamState> find(StreamPath path) {
    return Optional.ofNullable(byPath.get(path));
  }

  @Nullable
  public StreamState get(StreamPath path) {
    return byPath.get(path);
  }

  /** The tail of a stream; 0 if it has ended meanwhile. */
  long tail(long incarnation) {
    StreamState state = byIncarnation.get(incarnation);
    return state == null ? 0 : state.tail().position();
  }

  public Collection<StreamState> all() {
    return Collections.unmodifiableCollection(byPath.values());
  }

  /** The callers' streams in the order of their paths, after {@code after}. */
  public List<StreamHead> list(String prefix, String after, int limit, long now) {
    return byPath.values().stream()
        .filter(s -> !s.path().isReserved())
        .filter(s -> !s.goneFor(now) && !s.expired(now))
        .filter(s -> s.path().text().startsWith(prefix))
        .filter(s -> s.path().text().compareTo(after) > 0)
        .sorted(Comparator.comparing(StreamState::path))
        .limit(limit)
        .map(StreamState::head)
        .toList();
  }

  /** The number of the next stream to be created; never reused, whatever is deleted. */
  public long nextIncarnation() {
    return lastIncarnation + 1;
  }

  /**
   * Applies a change. A change that does not fit was not decided by {@link RequestChecks} against
   * this table: that is a bug, or a part of the stored changes is lost, and the engine stops.
   *
   * @return the incarnations that ended with the change, whose data nobody can read any more
   */
  public List<Long> apply(StreamChange change) {
    switch (change) {
      case StreamChange.Created c -> create(c);
      case StreamChange.Appended c -> of(c).apply(c);
      case StreamChange.Closed c -> of(c).apply(c);
      case StreamChange.Touched c -> of(c).touch(c.at());
      case StreamChange.Trimmed c -> of(c).trim(c.start());
      case StreamChange.ProducerExpired c -> of(c).forget(c.id(), c.managed());
      case StreamChange.ProducerFenced c -> of(c).fence(c.id(), c.managed(), c.epoch(), c.at());
      case StreamChange.Deleted c -> {
        return end(of(c));
      }
      case StreamChange.Expired c -> {
        return end(of(c));
      }
    }
    return List.of();
  }

  private StreamState of(StreamChange change) {
    StreamState state = byIncarnation.get(change.stream());
    if (state == null) {
      throw new IllegalStateException("no stream for " + change);
    }
    return state;
  }

  private void create(StreamChange.Created created) {
    StreamState source = created.source() == 0 ? null : byIncarnation.get(created.source());
    if (created.stream() <= lastIncarnation
        || byPath.containsKey(created.path())
        || (created.source() != 0 && source == null)) {
      throw new IllegalStateException("no room for " + created);
    }
    restore(new StreamState(created, source));
    lastIncarnation = created.stream();
  }

  /** A table with only this stream, to try appends on; see {@link StreamState#draft}. */
  public StreamTable draft(StreamPath path) {
    StreamTable draft = new StreamTable();
    StreamState state = byPath.get(path);
    if (state != null) {
      StreamState tried = state.draft();
      draft.byPath.put(path, tried);
      draft.byIncarnation.put(tried.incarnation(), tried);
    }
    return draft;
  }

  /** Adds a stream as it is; its source must be there. */
  public void restore(StreamState state) {
    reserved += state.path().isReserved() ? 1 : 0;
    byPath.put(state.path(), state);
    byIncarnation.put(state.incarnation(), state);
    StreamState source = state.source();
    if (source != null) {
      source.addFork();
    }
  }

  /** Restarts all idle windows, because it is unknown how long nobody could be served. */
  public void touchAll(long now) {
    byPath.values().forEach(state -> state.touch(now));
  }

  public void restoreLast(long incarnation) {
    lastIncarnation = incarnation;
  }

  @Nullable
  public StreamState incarnation(long incarnation) {
    return byIncarnation.get(incarnation);
  }

  /** The last fork also ends its source if that was only kept for it, and so on. */
  private List<Long> end(StreamState first) {
    if (first.forks() > 0) {
      first.deleteSoftly();
      return List.of();
    }
    List<Long> ended = new ArrayList<>();
    for (StreamState state = first; state != null; ) {
      reserved -= state.path().isReserved() ? 1 : 0;
      byPath.remove(state.path());
      byIncarnation.remove(state.incarnation());
      ended.add(state.incarnation());
      StreamState source = state.source();
      if (source != null) {
        source.removeFork();
      }
      state = source != null && source.softDeleted() && source.forks() == 0 ? source : null;
    }
    return ended;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof StreamTable t
        && lastIncarnation == t.lastIncarnation
        && byPath.equals(t.byPath);
  }

  @Override
  public int hashCode() {
    return byPath.hashCode();
  }
}
