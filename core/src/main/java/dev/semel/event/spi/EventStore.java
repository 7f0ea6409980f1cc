package dev.semel.event.spi;

import dev.semel.Key;
import dev.semel.event.EventLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Keeps the events of all processes in one log, in the order in which they were appended. The live
 * feed, the audit trail and key timelines read it. Not in an execution's path.
 *
 * <p>The contract, as tests, is {@code EventStoreContract} in semel-tck. Implementations are safe
 * for use by many threads, and many processes append to one log.
 */
public interface EventStore {
  /** The most lines in one {@link #append}. */
  int MAX_BATCH = 200;

  /** Largest page of {@link #read}, {@link #latest} and {@link #about}. */
  int MAX_PAGE = 1000;

  /**
   * Appends a writer's next lines, all or none, and moves the end of its chain. A line with a
   * number that the chain already has is ignored, so that a batch whose answer was lost can be sent
   * again. A gap is accepted: the chain shows it.
   *
   * @param lines of one writer, numbers rising
   */
  void append(List<EventLine> lines);

  /**
   * The lines after the cursor, oldest first. A reader that continues from {@link Page#next} sees
   * every appended line once, unless it was trimmed before: a line never appears before a cursor
   * that was already returned, even with concurrent appends.
   *
   * @param cursor empty for the oldest line; else a page's {@code next}, or {@link #end()}
   */
  Page read(String cursor, int limit);

  /** The cursor of the log's end now: reading from it returns only later lines. */
  String end();

  /** The newest lines, in order. */
  List<EventLine> latest(int limit);

  /** The newest lines about one key, in order; without erased ones. */
  List<EventLine> about(Key key, int limit);

  /** The chain of each writer: what its lines should be. */
  Map<String, Chain> chains();

  /**
   * Erases the personal data in all lines about this key; the chain stays intact. Engines whose log
   * can't be changed keep personal data beside it.
   *
   * @return how many lines were changed
   */
  int erase(Key key);

  /**
   * Removes the oldest lines: those appended longer than {@code age} ago by the store's clock, and
   * those beyond {@code keep}; at most {@code limit} of them. The beginnings of the chains move in
   * the same step. A chain is removed with its last line.
   *
   * @return how many lines were removed
   */
  int trim(Duration age, long keep, int limit);

  /**
   * One page of the log.
   *
   * @param next where to continue reading; never empty, and valid forever even when nothing came
   *     yet
   */
  record Page(List<EventLine> lines, String next) {
    public Page {
      lines = List.copyOf(lines);
    }
  }

  /**
   * What the store knows of a writer's lines without the lines.
   *
   * @param first the number of the oldest line that was not trimmed
   * @param before the hash of the line before that one
   * @param last the number of the newest line
   * @param hash the hash of the newest line
   */
  record Chain(long first, String before, long last, String hash) {}
}
