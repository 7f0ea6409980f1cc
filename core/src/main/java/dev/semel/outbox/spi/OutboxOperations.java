package dev.semel.outbox.spi;

import dev.semel.Key;
import dev.semel.outbox.RelayCounts;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** The outbox for operators. */
public interface OutboxOperations {
  int MAX_PAGE = 1000;

  /** The state of a message in a listing. */
  enum State {
    PENDING,
    DEAD,
    /** Published, and kept for a while. */
    PUBLISHED
  }

  /**
   * The state of the outbox.
   *
   * @param failing how many pending messages failed at least once
   * @param oldest the age of the oldest pending message; empty: nothing is pending
   * @param relays the running relays
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
   * A running relay.
   *
   * @param perSecond messages published per second, since its last heartbeat but one
   */
  record RelayStatus(
      String relay, int partitions, RelayCounts counts, double perSecond, Duration lastSeen) {}

  /**
   * A message without its payload.
   *
   * @param since when it was written, died or was published
   * @param reason the last failure; empty: there was none
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
   * One page of a listing.
   *
   * @param cursor for the next page; empty: there is none
   */
  record Page(List<Entry> entries, String cursor) {}

  /** Selects messages; an empty field selects all. */
  record Filter(
      String destination, Optional<String> id, Optional<Instant> from, Optional<Instant> until) {
    public static final Filter ALL =
        new Filter("", Optional.empty(), Optional.empty(), Optional.empty());
  }

  Status status();

  Page list(State state, Filter filter, String cursor, int limit);

  /**
   * The messages that an execution of this key sent, in any state, by the header {@code semel-key}.
   * Reads every row, so it is slow on large tables.
   *
   * @return pending messages first, then dead, then published ones; the oldest of each first
   */
  List<Entry> about(Key key, int limit);

  /**
   * A dead letter with its payload; it stays where it is. If several dead letters have this id, the
   * first one. Empty: there is none.
   */
  Optional<Message> read(String destination, String id);

  /**
   * How many messages {@link #retry(Filter)} would touch: dead letters, and failing messages that
   * wait for their next try.
   */
  long retriable(Filter filter);

  /** Moves dead letters to the end of the queue, as new, and makes failing messages due at once. */
  long retry(Filter filter);

  /**
   * Moves one dead letter, the one that {@link #read} shows, to the end of the queue, as new, with
   * another payload, all in one transaction. Of several concurrent calls, one wins.
   *
   * <p>Everything else stays, including the id. No broker confirmed the message, so usually no
   * consumer got it. If a broker took it and only the answer was lost, consumers that know the id
   * drop the new payload as a duplicate: if they must get it, add another message.
   *
   * @return false: there is no such dead letter (any more); nothing was done
   * @throws dev.semel.InvalidInput it is larger than what may be added
   */
  boolean retry(String destination, String id, byte[] payload);

  /**
   * Adds kept published messages to the end of the queue again.
   *
   * @param newIds true: with new ids, so that consumers that got them get them again; false: only
   *     consumers that missed them do
   */
  long replay(Filter filter, boolean newIds);

  /** Deletes dead letters or published messages, in parts; never pending ones. */
  long purge(State state, Filter filter);
}
