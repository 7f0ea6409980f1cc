package dev.semel.stream.internal.shared;

import dev.semel.stream.internal.local.MemoryLog;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.SharedLog;
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
 * Fetches data from a shared log. The engine's guard covers finding the messages, but not fetching
 * them, because the log never changes. The latest messages are cached, because followers of a
 * stream read them at once.
 */
public final class SharedReads {
  /** This part of the heap, but at most 64 MiB. */
  private static final int KEPT_SHARE = 16;

  private static final long KEPT_BYTES =
      Math.min(64L << 20, Runtime.getRuntime().maxMemory() / KEPT_SHARE);

  private final SharedLog log;
  private final Map<Long, Kept> kept = new LinkedHashMap<>(16, 0.75f, true);
  private long keptBytes;

  public SharedReads(SharedLog log) {
    this.log = log;
  }

  /** A cached message; decoded when it is first read. */
  private static final class Kept {
    private final int length;
    private byte[] message;
    private @Nullable List<AppendBody> bodies;

    Kept(byte[] message) {
      this.length = message.length;
      this.message = message;
    }

    synchronized List<AppendBody> bodies() {
      List<AppendBody> found = bodies;
      if (found == null) {
        found = LogTransition.decode(message).bodies();
        bodies = found;
        message = new byte[0];
      }
      return found;
    }
  }

  void keep(long sequence, byte[] message) {
    Kept unused = put(sequence, message);
  }

  private Kept put(long sequence, byte[] message) {
    Kept made = new Kept(message);
    synchronized (kept) {
      Kept before = kept.put(sequence, made);
      keptBytes += made.length - (before == null ? 0 : before.length);
      Iterator<Kept> eldest = kept.values().iterator();
      while (keptBytes > KEPT_BYTES && eldest.hasNext()) {
        keptBytes -= eldest.next().length;
        eldest.remove();
      }
    }
    return made;
  }

  private CompletionStage<Optional<Kept>> get(long sequence) {
    Kept there;
    synchronized (kept) {
      there = kept.get(sequence);
    }
    if (there != null) {
      return CompletableFuture.completedFuture(Optional.of(there));
    }
    return log.get(sequence).thenApply(found -> found.map(message -> put(sequence, message)));
  }

  /** A run of messages of one index, with those of the streams that it was forked from. */
  private static final class Run {
    private final SharedIndex index;
    private final @Nullable Run source;
    private long from;
    private final List<Long> sequences = new ArrayList<>();
    private final List<Kept> messages = new ArrayList<>();

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

    /** Adds the message at a position; returns where its data ends. */
    long add(long position) {
      int i = index.at(position);
      if (sequences.isEmpty()) {
        from = index.start(i);
      }
      sequences.add(index.sequence(i));
      return index.end(i);
    }

    /** A source is only read up to where the fork begins. */
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
      for (Kept message : messages) {
        message.bodies().forEach(body -> log.add(body, 0));
      }
      return log;
    }
  }

  /** Data that was found; fetch it outside the guard. */
  public final class Found {
    private final Run run;

    private Found(Run run) {
      this.run = run;
    }

    /** Fetches the data. Empty: it was dropped in between. */
    public CompletionStage<Optional<MemoryLog>> fetch() {
      CompletionStage<Boolean> all = CompletableFuture.completedFuture(true);
      for (Run each = run; each != null; each = each.source) {
        Run into = each;
        for (long sequence : each.sequences) {
          CompletionStage<Optional<Kept>> got = get(sequence); // all at once
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

  /** Finds what a read needs; under the guard. */
  public Found find(SharedIndex index, long from, long tail, int maxBytes) {
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
