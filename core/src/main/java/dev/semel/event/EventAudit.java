package dev.semel.event;

import dev.semel.event.spi.EventStore;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * Checks an event log against its hash chains: finds lines that were changed, removed or moved.
 * Erased lines and lines that were trimmed in order are no findings.
 *
 * <p>Someone with write access to the store could forge a whole chain, ends included. To detect
 * that too, keep the ends ({@link EventStore#chains()}) somewhere else.
 */
public final class EventAudit {
  /** More findings than this are only counted. */
  public static final int MAX_FINDINGS = 1000;

  private final EventStore store;
  private final Map<String, EventStore.Chain> chains;
  private final Map<String, Last> last = new HashMap<>();
  private final List<Finding> findings = new ArrayList<>();
  private Map<String, EventStore.Chain> chainsNow = Map.of();
  private boolean chainsNowRead;
  private long lines;
  private long found;

  private record Last(long number, String hash) {}

  private EventAudit(EventStore store) {
    this.store = store;
    // Read first: lines that come later are checked by their links alone.
    this.chains = store.chains();
  }

  /** What is wrong with a line. */
  public enum Problem {
    /** Its hash, or its personal part, is not as it was written. */
    CHANGED,
    /** Lines before it are missing. */
    MISSING_BEFORE,
    /** The newest lines of a writer are missing. */
    MISSING_AT_END,
    /** It stands before a line with a lower number, or twice. */
    OUT_OF_ORDER,
    /** It does not follow from the line before, although neither looks changed. */
    NOT_LINKED
  }

  /**
   * One line that failed a check.
   *
   * @param number the line's number; for {@link Problem#MISSING_AT_END}, that of the newest line
   *     that exists
   */
  public record Finding(Problem problem, String writer, long number) {}

  /**
   * The result of an audit.
   *
   * @param found the number of all findings, listed or not
   */
  public record Report(long lines, int writers, long found, List<Finding> findings) {
    public Report {
      findings = List.copyOf(findings);
    }

    public boolean intact() {
      return found == 0;
    }
  }

  /**
   * Reads the whole log.
   *
   * @param progress receives the number of lines checked so far
   */
  public static Report verify(EventStore store, LongConsumer progress) {
    return new EventAudit(store).run(progress);
  }

  private Report run(LongConsumer progress) {
    String cursor = "";
    while (true) {
      EventStore.Page page = store.read(cursor, EventStore.MAX_PAGE);
      chainsNowRead = false;
      page.lines().forEach(this::check);
      lines += page.lines().size();
      progress.accept(lines);
      if (page.lines().isEmpty() && page.next().equals(cursor)) {
        break;
      }
      cursor = page.next();
    }
    chains.forEach(this::checkEnd);
    return new Report(lines, last.size(), found, findings);
  }

  private void check(EventLine line) {
    Last before = last.get(line.writer());
    if (!line.intact()) {
      add(Problem.CHANGED, line);
    }
    if (before != null && line.number() <= before.number()) {
      add(Problem.OUT_OF_ORDER, line);
      return;
    }
    long expected = before == null ? first(line) : before.number() + 1;
    String previous = before == null ? beforeFirst(line) : before.hash();
    if (line.number() > expected) {
      if (!trimmedBelow(line.number(), line.writer())) {
        add(Problem.MISSING_BEFORE, line);
      }
    } else if (previous != null && !line.previous().equals(previous)) {
      add(Problem.NOT_LINKED, line);
    }
    last.put(line.writer(), new Last(line.number(), line.hash()));
  }

  private long first(EventLine line) {
    EventStore.Chain chain = chains.get(line.writer());
    return chain == null ? 1 : chain.first();
  }

  /** Null where it can't be known: the log was trimmed beyond it during the audit. */
  private @Nullable String beforeFirst(EventLine line) {
    EventStore.Chain chain = chains.get(line.writer());
    if (chain == null) {
      return EventLine.FIRST;
    }
    return line.number() == chain.first() ? chain.before() : null;
  }

  /** Whether the lines before this one were trimmed since the audit began. */
  private boolean trimmedBelow(long number, String writer) {
    if (!chainsNowRead) {
      chainsNow = store.chains();
      chainsNowRead = true;
    }
    EventStore.Chain now = chainsNow.get(writer);
    return now == null || now.first() >= number;
  }

  private void checkEnd(String writer, EventStore.Chain chain) {
    Last newest = last.getOrDefault(writer, new Last(chain.first() - 1, ""));
    if (newest.number() < chain.last() && !trimmedBelow(chain.last() + 1, writer)) {
      add(new Finding(Problem.MISSING_AT_END, writer, newest.number()));
    }
  }

  private void add(Problem problem, EventLine line) {
    add(new Finding(problem, line.writer(), line.number()));
  }

  private void add(Finding finding) {
    found++;
    if (findings.size() < MAX_FINDINGS) {
      findings.add(finding);
    }
  }
}
