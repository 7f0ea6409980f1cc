package dev.semel.outbox.spi;

import dev.semel.Key;
import dev.semel.outbox.RelayCounts;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** What an operator may see and do. */
public interface OutboxOperations {
  int MAX_PAGE = 1000;

  /** Where a message of the listing is. */
  enum State {
    PENDING,
    DEAD,
    /** It was published, and is kept for a while. */
    PUBLISHED
  }

  /**
   * How it stands.
   *
   * @param failing of those pending, how many failed at least once
   * @param oldest how long the oldest of those pending has been there; empty: nothing is pending
   * @param relays those that live
   */
  record Status(
      long pending,
      long failing,
      long dead,
      long kept,
      Optional<Duration> oldest,
      List<DestinationStatus> destinations,
      List<RelayStatus> relays) {}

  record DestinationStatus(
      String destination, long pending, long dead, Optional<Duration> oldest) {}

  /**
   * One that lives.
   *
   * @param perSecond published since its last heartbeat but one
   */
  record RelayStatus(
      String relay, int partitions, RelayCounts counts, double perSecond, Duration lastSeen) {}

  /**
   * A message without its payload.
   *
   * @param since when it was written, died or was published
   * @param reason why it failed last; empty: it did not
   */
  record Entry(
      long place,
      State state,
      String id,
      String destination,
      String orderingKey,
      String type,
      int payloadBytes,
      int attempts,
      Instant since,
      String reason) {}

  /**
   * A part of a listing.
   *
   * @param cursor for the next page; empty: there is none
   */
  record Page(List<Entry> entries, String cursor) {}

  /** Empty fields choose everything. */
  record Filter(
      String destination, Optional<String> id, Optional<Instant> from, Optional<Instant> until) {
    public static final Filter ALL =
        new Filter("", Optional.empty(), Optional.empty(), Optional.empty());
  }

  Status status();

  Page list(State state, Filter filter, String cursor, int limit);

  /**
   * The messages that an execution of this key sent, in any state, by the header {@code semel-key}.
   * It looks at every row, so it takes its time on large tables.
   *
   * @return those pending first, then the dead, then the published; the oldest of each first
   */
  List<Entry> about(Key key, int limit);

  /**
   * A dead letter with its payload; it stays where it is. Where several with this id died on their
   * way there, the first. Empty: there is none.
   */
  Optional<Message> read(String destination, String id);

  /**
   * How many messages {@link #retry(Filter)} would touch: dead letters, and failing ones that
   * pause.
   */
  long retriable(Filter filter);

  /** Dead letters go back to the end of the queue, as new; failing messages are tried at once. */
  long retry(Filter filter);

  /**
   * One dead letter goes back to the end of the queue, as new, with another payload: the one that
   * {@link #read} shows, and all of it in one transaction. Of those who do so at once one wins.
   *
   * <p>All else stays, the id too. No broker said that it has this message, so usually nobody heard
   * it. If one took it and only its answer was lost, then whoever knows the id drops the new
   * payload as a duplicate: add another message if they must hear it.
   *
   * @return false: there is no such dead letter, or not any more; nothing was done
   * @throws dev.semel.InvalidInput it is larger than what may be added
   */
  boolean retry(String destination, String id, byte[] payload);

  /**
   * Published messages that were kept go to the end of the queue once more.
   *
   * @param newIds as other messages than before, so that even who heard them hears them again;
   *     without, only who missed them does
   */
  long replay(Filter filter, boolean newIds);

  /** Deletes dead letters or published messages, in parts; never what is pending. */
  long purge(State state, Filter filter);
}
