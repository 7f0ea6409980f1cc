package dev.semel.inbox.spi;

import dev.semel.inbox.MessageTooOld;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** The inbox for operators. */
public interface InboxOperations {
  int MAX_PAGE = 1000;

  /**
   * Longest payload that an operator may set: as large as the largest message of a broker with
   * default settings.
   */
  int MAX_EDITED_BYTES = 4 << 20;

  /** The state of a message in a listing. */
  enum State {
    /** The message was stored, and waits to be handled. */
    PENDING,
    DEAD,
    /** Its handler was started outside the database, and its end was not recorded. */
    IN_DOUBT
  }

  /**
   * The state of the inbox.
   *
   * @param bytes the size of all tables with their indexes, as far as the engine knows
   */
  record Status(List<ConsumerStatus> consumers, long bytes) {
    /**
     * A copy with dead letters that were counted later.
     *
     * @param dead as {@link InboxOperations#deadLetters} returns
     */
    public Status withDead(SortedMap<String, Long> dead) {
      SortedMap<String, ConsumerStatus> all = new TreeMap<>();
      consumers.forEach(c -> all.put(c.consumer(), c.withDead(0)));
      dead.forEach(
          (consumer, letters) ->
              all.put(
                  consumer,
                  all.getOrDefault(consumer, ConsumerStatus.empty(consumer)).withDead(letters)));
      return new Status(List.copyOf(all.values()), bytes);
    }
  }

  /**
   * One consumer.
   *
   * @param ids how many ids are kept
   * @param firstSeen when the oldest kept id was first seen
   * @param failing how many pending messages failed at least once
   * @param oldest the age of the oldest pending message; empty: nothing is pending
   */
  record ConsumerStatus(
      String consumer,
      long ids,
      Optional<Instant> firstSeen,
      long inDoubt,
      long pending,
      long failing,
      long dead,
      Optional<Duration> oldest) {
    private static ConsumerStatus empty(String consumer) {
      return new ConsumerStatus(consumer, 0, Optional.empty(), 0, 0, 0, 0, Optional.empty());
    }

    private ConsumerStatus withDead(long letters) {
      return new ConsumerStatus(
          consumer, ids, firstSeen, inDoubt, pending, failing, letters, oldest);
    }
  }

  /**
   * A message without its payload. Of a message in doubt, only id and time are known.
   *
   * @param since when it arrived, or became a dead letter
   * @param reason the last failure; empty: there was none
   */
  record Entry(
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

  /** Counts every row, so it is slow on large tables. */
  Status status();

  /**
   * The number of dead letters per consumer; consumers without any are left out. Engines count only
   * the table of dead letters, so that frequent calls are cheap.
   */
  default SortedMap<String, Long> deadLetters() {
    SortedMap<String, Long> dead = new TreeMap<>();
    for (ConsumerStatus consumer : status().consumers()) {
      if (consumer.dead() > 0) {
        dead.put(consumer.consumer(), consumer.dead());
      }
    }
    return dead;
  }

  /** A copy of {@code known} with dead letters counted now. */
  default Status recounted(Status known) {
    return known.withDead(deadLetters());
  }

  Page list(String consumer, State state, String cursor, int limit);

  /** The message of a dead letter or of a pending one; empty: there is none. */
  Optional<Message> find(String consumer, String id);

  /** Moves dead letters to the end of the queue, as new. */
  long retry(String consumer);

  /**
   * Retries one dead letter. Or makes a pending message due at once with all its tries, even if a
   * worker has it, which then can't finish it any more. False: it is neither dead nor pending.
   */
  boolean retry(String consumer, String id);

  /**
   * Moves one dead letter to the end of the queue, as new, with another payload, in one
   * transaction; never a pending message, because a worker may be handling it, nor one in doubt. Of
   * several concurrent calls, one wins. Everything else stays, including the id: the message still
   * takes effect once, and if the broker delivers it again, it is dropped.
   *
   * @return false: there is no such dead letter (any more); nothing was done
   * @throws dev.semel.InvalidInput it is longer than {@link #MAX_EDITED_BYTES}
   */
  boolean retry(String consumer, String id, byte[] payload);

  /** Deletes dead letters, in parts. */
  long purgeDead(String consumer);

  /** How many ids {@link #purge} would delete without a limit. */
  long old(String consumer, Duration olderThan);

  /**
   * Deletes ids that were first seen longer ago, the oldest first, in parts, but never those of
   * messages that are pending, dead or in doubt.
   *
   * <p>A message whose id is deleted takes effect again if it is delivered again. So keep ids for
   * longer than any repetition: the broker's redelivery, a replay of its stream, a relay that was
   * down for days.
   */
  long purge(String consumer, Duration olderThan, int limit);

  /**
   * Deletes an id, so that the message takes effect when it is delivered again: for one in doubt
   * whose effect did not happen. False: there is no such id, or its message is pending or dead.
   * Where the inbox dropped the ids of its time, the message is still refused ({@link
   * MessageTooOld}) and needs a new id.
   */
  boolean forget(String consumer, String id);

  /** Problems of the tables, and what to check; a sentence each. Empty: none. */
  List<String> diagnose();
}
