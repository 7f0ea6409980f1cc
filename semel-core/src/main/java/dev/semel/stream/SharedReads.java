package dev.semel.stream;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;

/**
 * Fetches data from a shared log. Which messages hold it is found under the engine's guard;
 * fetching them is not, because what is in the log never changes. What came last is kept, since
 * those who follow a stream read it at once.
 */
final class SharedReads {
  private static final long KEPT_BYTES = 64L << 20;

  private final SharedLog log;
  private final Map<Long, byte[]> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long keptBytes;

  SharedReads(SharedLog log) {
    this.log = log;
  }

  void keep(long sequence, byte[] message) {
    synchronized (kept) {
      byte[] before = kept.put(sequence, message);
      keptBytes += message.length - (before == null ? 0 : before.length);
      Iterator<byte[]> eldest = kept.values().iterator();
      while (keptBytes > KEPT_BYTES && eldest.hasNext()) {
        keptBytes -= eldest.next().length;
        eldest.remove();
      }
    }
  }

  private CompletionStage<Optional<byte[]>> get(long sequence) {
    byte[] there;
    synchronized (kept) {
      there = kept.get(sequence);
    }
    if (there != null) {
      return CompletableFuture.completedFuture(Optional.of(there));
    }
    return log.get(sequence)
        .thenApply(
            found -> {
              found.ifPresent(message -> keep(sequence, message));
              return found;
            });
  }

  /** A run of messages of one index, the streams it was forked from in front of it. */
  private static final class Run {
    private final SharedIndex index;
    private final @Nullable Run source;
    private long from;
    private final List<Long> sequences = new ArrayList<>();
    private final List<byte[]> messages = new ArrayList<>();

    Run(SharedIndex index) {
      this.index = index;
      this.source = index.source() == null ? null : new Run(index.source());
      this.from = index.end();
    }

    Run holding(long position) {
      Run run = this;
      while (run.source != null && position < run.index.base()) {
        run = run.source;
      }
      return run;
    }

    /** Adds the message at a position, and says where its data ends. */
    long add(long position) {
      int i = index.at(position);
      if (sequences.isEmpty()) {
        from = index.start(i);
      }
      sequences.add(index.sequence(i));
      return index.end(i);
    }

    /** A source is only read up to where the stream that was forked from it begins. */
    long limit(Run holder, long to) {
      long limit = to;
      for (Run r = this; r != holder && r.source != null; r = r.source) {
        limit = Math.min(limit, r.index.base());
      }
      return limit;
    }

    MemoryLog log() {
      MemoryLog log =
          MemoryLog.part(index.base(), from, index.json(), source == null ? null : source.log());
      for (byte[] message : messages) {
        Transition.decode(message).bodies().forEach(body -> log.add(body, 0));
      }
      return log;
    }
  }

  /** Data that was found; to be fetched when the guard is free. */
  final class Found {
    private final Run run;

    private Found(Run run) {
      this.run = run;
    }

    /** Empty: it was dropped in between. */
    CompletionStage<Optional<MemoryLog>> fetch() {
      CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
      for (Run each = run; each != null; each = each.source) {
        Run into = each;
        for (long sequence : each.sequences) {
          CompletionStage<Optional<byte[]>> got = get(sequence); // all at once
          all =
              all.thenCombine(
                  got,
                  (whole, message) -> {
                    message.ifPresent(into.messages::add);
                    return whole && message.isPresent();
                  });
        }
      }
      return all.thenApply(whole -> whole ? Optional.of(run.log()) : Optional.empty());
    }
  }

  /** Under the guard: what a read from there needs. */
  Found find(SharedIndex index, long from, long tail, int maxBytes) {
    Run run = new Run(index);
    long to = Math.min(tail, from + maxBytes);
    for (long at = from; at < to; ) {
      Run holder = run.holding(at);
      long limit = run.limit(holder, to);
      long end = holder.add(at);
      at = Math.min(end, limit);
    }
    return new Found(run);
  }
}
