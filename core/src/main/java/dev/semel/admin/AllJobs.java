package dev.semel.admin;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.internal.PrintableText;
import dev.semel.job.Job;
import dev.semel.job.spi.JobOperations;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The queues of several engines as those of one, such as the store's and a database's. Counts of a
 * queue that exists on two engines are added up.
 */
record AllJobs(List<JobOperations> engines) implements JobOperations {
  private static final char CURSOR_END = '!';

  AllJobs {
    engines = List.copyOf(engines);
  }

  /** A single engine is returned as it is. */
  static Optional<JobOperations> of(List<JobOperations> engines) {
    return engines.size() < 2 ? engines.stream().findFirst() : Optional.of(new AllJobs(engines));
  }

  @Override
  public SortedMap<Operation, Counts> counts() {
    SortedMap<Operation, Counts> all = new TreeMap<>(Comparator.comparing(Operation::name));
    for (JobOperations each : engines) {
      each.counts().forEach((queue, counts) -> all.merge(queue, counts, AllJobs::sum));
    }
    return all;
  }

  private static Counts sum(Counts a, Counts b) {
    return new Counts(
        a.pending() + b.pending(),
        a.delayed() + b.delayed(),
        a.processing() + b.processing(),
        a.completed() + b.completed(),
        a.failed() + b.failed(),
        a.inDoubt() + b.inDoubt(),
        Stream.of(a.oldest(), b.oldest()).flatMap(Optional::stream).max(Duration::compareTo));
  }

  @Override
  public Page list(Filter filter, String cursor, int limit) {
    JobOperations.checkPage(limit);
    int engine = cursor.isEmpty() ? 0 : engine(cursor);
    String next = cursor.substring(cursor.indexOf(CURSOR_END) + 1);
    List<Entry> entries = new ArrayList<>();
    while (engine < engines.size()) {
      if (entries.size() == limit) {
        return new Page(entries, Integer.toString(engine) + CURSOR_END + next);
      }
      Page page = engines.get(engine).list(filter, next, limit - entries.size());
      entries.addAll(page.entries());
      next = page.cursor();
      engine += next.isEmpty() ? 1 : 0;
    }
    return new Page(entries, "");
  }

  private int engine(String cursor) {
    int end = cursor.indexOf(CURSOR_END);
    int engine = end == 1 ? Character.digit(cursor.charAt(0), 10) : -1;
    if (engine < 0 || engine >= engines.size()) {
      throw new InvalidInput(
          "%s is no cursor of this listing: begin without one"
              .formatted(PrintableText.quoted(cursor)));
    }
    return engine;
  }

  @Override
  public Optional<Entry> find(Key key) {
    return engines.stream().map(each -> each.find(key)).flatMap(Optional::stream).findFirst();
  }

  @Override
  public Optional<Job> read(Key key) {
    return engines.stream().map(each -> each.read(key)).flatMap(Optional::stream).findFirst();
  }

  @Override
  public List<Job> peek(Operation queue, int max) {
    return engines.stream().flatMap(each -> each.peek(queue, max).stream()).limit(max).toList();
  }

  @Override
  public List<Key> requeue(Filter filter) {
    return engines.stream().flatMap(each -> each.requeue(filter).stream()).toList();
  }

  @Override
  public long purge(Filter filter) {
    return engines.stream().mapToLong(each -> each.purge(filter)).sum();
  }
}
