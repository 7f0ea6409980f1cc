package dev.semel.stream;

import dev.semel.StoreException;
import dev.semel.stream.spi.SharedLog;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A shared log in memory that does what networks and brokers do: it loses a message, or the answer
 * to a stored one, or stores one late. Each engine reads on only when the test says so.
 */
final class FaultyLog {
  /** What becomes of the next message. */
  enum Fate {
    TAKEN,
    /** Neither the message nor an answer gets through. */
    LOST,
    /** The message is stored, and the answer lost. */
    ANSWER_LOST,
    /** There is no room for the message, and the answer says so. */
    FULL,
    /** No answer comes, and {@link #arriveLate} stores the message. */
    LATE
  }

  private record Entry(StreamPath path, ByteBuffer message) {}

  private record Pending(StreamPath path, long expected, ByteBuffer message) {}

  private final List<Optional<Entry>> entries = new ArrayList<>();
  private final Map<StreamPath, Long> lasts = new HashMap<>();
  private final Map<StreamPath, Deque<Fate>> fates = new HashMap<>();
  private final Deque<Pending> late = new ArrayDeque<>();
  private final Set<View> views = new HashSet<>();
  private final InstantSource clock;
  private Optional<SharedLog.Checkpoint> left = Optional.empty();
  private int puts;

  FaultyLog(InstantSource clock) {
    this.clock = clock;
  }

  /** What becomes of the next messages on a path. */
  synchronized void next(StreamPath path, Fate... coming) {
    fates.computeIfAbsent(path, p -> new ArrayDeque<>()).addAll(List.of(coming));
  }

  /** From here on everything is taken. */
  synchronized void healed() {
    fates.clear();
  }

  synchronized void forgetCheckpoint() {
    left = Optional.empty();
  }

  synchronized int puts() {
    return puts;
  }

  synchronized int stored() {
    return (int) entries.stream().filter(Optional::isPresent).count();
  }

  synchronized long dropped() {
    return entries.stream().filter(Optional::isEmpty).count();
  }

  synchronized boolean hasLate() {
    return !late.isEmpty();
  }

  /** What was on its way for long comes in now, if it still fits. */
  void arriveLate() {
    Pending pending;
    synchronized (this) {
      pending = late.remove();
      SharedLog.Put unused = store(pending.path(), pending.expected(), pending.message());
    }
    tellAll();
  }

  private SharedLog.Put store(StreamPath path, long expected, ByteBuffer message) {
    if (lasts.getOrDefault(path, 0L) != expected) {
      return new SharedLog.Put.Refused();
    }
    entries.add(Optional.of(new Entry(path, message)));
    lasts.put(path, (long) entries.size());
    return new SharedLog.Put.Stored(entries.size());
  }

  private void tellAll() {
    List<View> all;
    synchronized (this) {
      all = List.copyOf(views);
    }
    all.forEach(View::catchUp);
  }

  View view() {
    return new View();
  }

  /** One engine's way to the log. */
  final class View implements SharedLog {
    private Follower follower = (sequence, message) -> {};
    private int taken;
    private int delivered;
    private boolean behind;

    /** Messages that its engine has read. */
    synchronized int delivered() {
      return delivered;
    }

    /** Reads no further until {@link #resume}. */
    synchronized void lag() {
      behind = true;
    }

    void resume() {
      synchronized (this) {
        behind = false;
      }
      catchUp();
    }

    synchronized void catchUp() {
      while (!behind) {
        Optional<Entry> next;
        synchronized (FaultyLog.this) {
          if (taken >= entries.size()) {
            return;
          }
          next = entries.get(taken);
        }
        taken++;
        int sequence = taken;
        delivered++;
        next.ifPresent(entry -> follower.take(sequence, entry.message().array()));
      }
    }

    @Override
    public CompletionStage<Put> put(StreamPath path, long expected, byte[] message) {
      Put outcome;
      Fate fate;
      synchronized (FaultyLog.this) {
        puts++;
        Fate given = fates.getOrDefault(path, new ArrayDeque<>()).poll();
        fate = given == null ? Fate.TAKEN : given;
        if (fate == Fate.LATE) {
          late.add(new Pending(path, expected, ByteBuffer.wrap(message)));
        }
        if (fate == Fate.FULL) {
          return CompletableFuture.supplyAsync(Put.Full::new);
        }
        outcome =
            fate == Fate.LOST || fate == Fate.LATE
                ? new Put.Refused()
                : store(path, expected, ByteBuffer.wrap(message));
      }
      if (fate != Fate.TAKEN) {
        CompletableFuture<Void> unused = CompletableFuture.runAsync(FaultyLog.this::tellAll);
        return CompletableFuture.failedFuture(new StoreException("no answer"));
      }
      // As with a broker, readers get stored messages on another thread.
      return CompletableFuture.supplyAsync(
          () -> {
            tellAll();
            return outcome;
          });
    }

    @Override
    public CompletionStage<Long> last(StreamPath path) {
      synchronized (FaultyLog.this) {
        return CompletableFuture.completedFuture(lasts.getOrDefault(path, 0L));
      }
    }

    @Override
    public CompletionStage<Long> last() {
      synchronized (FaultyLog.this) {
        return CompletableFuture.completedFuture((long) entries.size());
      }
    }

    @Override
    public CompletionStage<Optional<byte[]>> get(long sequence) {
      synchronized (FaultyLog.this) {
        return CompletableFuture.completedFuture(
            entries.get((int) sequence - 1).map(entry -> entry.message().array()));
      }
    }

    @Override
    public void drop(List<Long> sequences) {
      synchronized (FaultyLog.this) {
        sequences.forEach(sequence -> entries.set((int) (sequence - 1), Optional.empty()));
      }
    }

    @Override
    public int maxBytes() {
      return 64 << 10;
    }

    @Override
    public InstantSource clock() {
      return clock;
    }

    @Override
    public Optional<Checkpoint> checkpoint() {
      synchronized (FaultyLog.this) {
        return left;
      }
    }

    @Override
    public void leave(Checkpoint checkpoint) {
      synchronized (FaultyLog.this) {
        left = Optional.of(checkpoint);
      }
    }

    @Override
    public void follow(long after, Follower reading) {
      taken = (int) after;
      follower = reading;
      synchronized (FaultyLog.this) {
        views.add(this);
      }
      catchUp();
    }

    @Override
    public void close() {
      synchronized (FaultyLog.this) {
        views.remove(this);
      }
    }
  }
}
