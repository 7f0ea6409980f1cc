package dev.semel.stream.internal;

import dev.semel.stream.spi.Streams;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Readers that wait for data, by stream. The engine guards it; woken readers are called after the
 * engine's lock is released, so that they may call the engine again.
 */
public final class ReadWaiters {
  private static final class Waiter {
    private final long beyond;
    private final Runnable wake;

    Waiter(long beyond, Runnable wake) {
      this.beyond = beyond;
      this.wake = wake;
    }
  }

  private final Consumer<Runnable> guard;
  private final int max;
  private final Map<Long, Set<Waiter>> byStream = new HashMap<>();
  private int count;

  /**
   * Waiters of an engine.
   *
   * @param guard runs a task under the engine's guard
   */
  public ReadWaiters(Consumer<Runnable> guard, int max) {
    this.guard = guard;
    this.max = max;
  }

  public boolean any() {
    return count > 0;
  }

  public Optional<Streams.Waiting> add(long stream, long beyond, Runnable wake) {
    if (count >= max) {
      return Optional.empty();
    }
    Waiter waiter = new Waiter(beyond, wake);
    byStream.computeIfAbsent(stream, k -> new LinkedHashSet<>()).add(waiter);
    count++;
    return Optional.of(() -> guard.accept(() -> remove(stream, waiter)));
  }

  private void remove(long stream, Waiter waiter) {
    Set<Waiter> waiting = byStream.get(stream);
    if (waiting != null && waiting.remove(waiter)) {
      count--;
      if (waiting.isEmpty()) {
        byStream.remove(stream);
      }
    }
  }

  /** Moves the waiters that an applied change concerns to {@code awake}. */
  public void told(StreamChange change, StreamTable table, List<Runnable> awake) {
    long stream = change.stream();
    switch (change) {
      case StreamChange.Appended c -> {
        if (c.closes()) {
          ended(stream, awake);
        } else {
          reached(stream, table.tail(stream), awake);
        }
      }
      case StreamChange.Closed c -> ended(stream, awake);
      case StreamChange.Deleted c -> ended(stream, awake);
      case StreamChange.Expired c -> ended(stream, awake);
      case StreamChange.Created c -> {}
      case StreamChange.Trimmed c -> {}
      case StreamChange.Touched c -> {}
      case StreamChange.ProducerExpired c -> {}
      case StreamChange.ProducerFenced c -> {}
    }
  }

  /** Moves the waiters whose position is now before the tail. */
  void reached(long stream, long tail, List<Runnable> awake) {
    Set<Waiter> waiting = byStream.get(stream);
    if (waiting == null) {
      return;
    }
    List<Waiter> woken = new ArrayList<>();
    for (Waiter waiter : waiting) {
      if (waiter.beyond < tail) {
        woken.add(waiter);
      }
    }
    for (Waiter waiter : woken) {
      remove(stream, waiter);
      awake.add(waiter.wake);
    }
  }

  /** Moves all waiters: nothing more will come. */
  void ended(long stream, List<Runnable> awake) {
    reached(stream, Long.MAX_VALUE, awake);
  }
}
