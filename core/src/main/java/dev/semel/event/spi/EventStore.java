package dev.semel.event.spi;

import dev.semel.Key;
import dev.semel.event.EventLine;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * Keeps the events of all processes in one log, in the order in which they were appended: the live
 * feed, the audit trail and life lines are read from it. Nothing here sits in an execution's path.
 *
 * <p>The contract, as tests, is {@code EventStoreContract} in semel-tck. Implementations are safe
 * for many threads, and many processes append to one log.
 */
public interface EventStore {
  /** Most lines in one {@link #append}. */
  int MAX_BATCH = 200;

  /** Largest page that {@link #read}, {@link #latest} and {@link #about} give. */
  int MAX_PAGE = 1000;

  /**
   * Appends a writer's next lines, all or none, and moves the end of its chain on. A line whose
   * number the chain already has is left out, so that a batch whose answer was lost can be sent
   * again. A gap is taken as it is: the chain shows it.
   *
   * @param lines of one writer, numbers rising
   */
  void append(List<EventLine> lines);

  /**
   * The lines after the cursor, oldest first. Whoever reads on from {@link Page#next} sees every
   * line that is ever appended once, unless it was trimmed before: a line never appears behind a
   * cursor that was given out, whoever appends at the same time.
   *
   * @param cursor empty for the oldest line; else a page's {@code next}, or {@link #end()}
   */
  Page read(String cursor, int limit);

  /** Where the log ends now: reading from here gives only what comes later. */
  String end();

  /** The newest lines, oldest of them first. */
  List<EventLine> latest(int limit);

  /** The newest lines about one key, oldest of them first; not those that were erased. */
  List<EventLine> about(Key key, int limit);

  /** What there should be of each writer's lines. */
  Map<String, Chain> chains();

  /**
   * Erases what may be personal in all lines about this key; the chain stays whole. Engines whose
   * log can't be changed keep the personal part beside it.
   *
   * @return how many lines were changed
   */
  int erase(Key key);

  /**
   * Removes the oldest lines: those older than {@code age} by the store's clock when they were
   * appended, and those beyond {@code keep}; at most {@code limit} of them. The chains' beginnings
   * move with it, in the same step. A chain without lines goes with its last one.
   *
   * @return how many lines were removed
   */
  int trim(Duration age, long keep, int limit);

  /**
   * Part of the log.
   *
   * @param next where to read on; never empty, and good for ever even when nothing came yet
   */
  record Page(List<EventLine> lines, String next) {
    public Page {
      lines = List.copyOf(lines);
    }
  }

  /**
   * What is known of a writer's lines apart from the lines themselves.
   *
   * @param first the number of the oldest line that was not trimmed
   * @param before the hash of the line before that one
   * @param last the number of the newest line
   * @param hash the hash of the newest line
   */
  record Chain(long first, String before, long last, String hash) {}
}
