package dev.semel.inbox.spi;

import dev.semel.inbox.MessageTooOld;
import dev.semel.transport.Message;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** What an operator may see and do. */
public interface InboxOperations {
  int MAX_PAGE = 1000;

  /**
   * What an operator may put in place of a payload: as much as the largest that a broker brings,
   * unless it is told otherwise.
   */
  int MAX_EDITED_BYTES = 4 << 20;

  /** Where a message of the listing is. */
  enum State {
    /** It was stored, and waits to be handled. */
    PENDING,
    DEAD,
    /** Its handler was started outside the database, and did not say how that ended. */
    IN_DOUBT
  }

  /**
   * How it stands.
   *
   * @param bytes of all tables, with their indexes, as far as the engine knows
   */
  record Status(List<ConsumerStatus> consumers, long bytes) {
    /**
     * The same with dead letters that were counted later.
     *
     * @param dead as {@link InboxOperations#deadLetters} answers
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
   * @param ids that are kept
   * @param firstSeen the oldest of them
   * @param failing of those pending, how many failed at least once
   * @param oldest how long the oldest of those pending has been there; empty: nothing is pending
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
   * A message without its payload. One in doubt is known by its id and time only.
   *
   * @param since when it came, or died
   * @param reason why it failed last; empty: it did not
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
   * A part of a listing.
   *
   * @param cursor for the next page; empty: there is none
   */
  record Page(List<Entry> entries, String cursor) {}

  /** Counts every row, so it takes its time on large tables. */
  Status status();

  /**
   * How many dead letters each consumer has; consumers without any are left out. Engines count only
   * the table of dead letters, so that they can be asked often.
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

  /** The same as {@code known}, but for the dead letters, which are counted now. */
  default Status recounted(Status known) {
    return known.withDead(deadLetters());
  }

  Page list(String consumer, State state, String cursor, int limit);

  /** The message itself of a dead letter or one pending; empty: there is none. */
  Optional<Message> find(String consumer, String id);

  /** Dead letters go back to the end of the queue, as new. */
  long retry(String consumer);

  /**
   * The same for one of them; and one that is pending is due at once and has all its tries again,
   * whoever has it: they can't finish it any more. False: it is neither dead nor pending.
   */
  boolean retry(String consumer, String id);

  /**
   * One dead letter goes back to the end of the queue, as new, with another payload, in one
   * transaction; never one that is pending, because someone may be at it, nor one in doubt. Of
   * those who do so at once one wins. All else stays, the id too: it still takes effect once, and
   * if the first one comes again, it is dropped.
   *
   * @return false: there is no such dead letter, or not any more; nothing was done
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
   * <p>A message whose id is gone takes effect again when it comes again. So ids must be kept for
   * longer than anyone may send the same message: the broker's redelivery, a replay of its stream,
   * a relay that was down for days.
   */
  long purge(String consumer, Duration olderThan, int limit);

  /**
   * Forgets an id, so that the message takes effect when it comes again: for one in doubt that did
   * not happen. False: there is no such id, or its message is pending or dead. Where ids of its
   * time were dropped, the message is refused ({@link MessageTooOld}) all the same and needs a new
   * id.
   */
  boolean forget(String consumer, String id);

  /** What is wrong with the tables, and what to look at; a sentence each. Empty: nothing. */
  List<String> diagnose();
}
