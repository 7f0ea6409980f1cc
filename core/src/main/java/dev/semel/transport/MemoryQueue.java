package dev.semel.transport;

import dev.semel.loop.Platform;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * The messages of one destination that one consumer has not acknowledged. Of each ordering key,
 * only the first may be handed out. The caller must hold the transport's lock.
 */
final class MemoryQueue {
  private static final Comparator<Item> IN_ORDER = Comparator.comparingLong(item -> item.position);

  private final Platform platform;

  /**
   * Messages that may be handed out now; keyed and unkeyed apart, because only unkeyed ones have a
   * limit.
   */
  private final PriorityQueue<Item> readyKeyed = new PriorityQueue<>(IN_ORDER);

  private final PriorityQueue<Item> readyFree = new PriorityQueue<>(IN_ORDER);

  /** Messages that are handed out or pause, by when they may be handed out again. */
  private final TreeSet<Item> timed;

  private final Map<String, Deque<Item>> keys = new HashMap<>();
  private final Set<Thread> waiting = new HashSet<>();
  private SubscribeSettings settings;
  private int size;
  private int out;
  private int outFree;

  MemoryQueue(Platform platform, SubscribeSettings settings) {
    this.platform = platform;
    this.settings = settings;
    long start = platform.nanos();
    this.timed =
        new TreeSet<>(
            Comparator.<Item>comparingLong(item -> item.due - start).thenComparing(IN_ORDER));
  }

  /** A message in this queue. */
  static final class Item {
    final MemoryTransport.Kept kept;
    final long position;
    private long due;
    private long attempt;
    private boolean done;
    private @Nullable Object holder;

    Item(MemoryTransport.Kept kept) {
      this.kept = kept;
      this.position = kept.position();
    }

    Message message() {
      return kept.message();
    }

    long attempt() {
      return attempt;
    }
  }

  void settings(SubscribeSettings newest) {
    settings = newest;
  }

  void add(Item item) {
    size++;
    if (item.message().ordered()) {
      Deque<Item> sameKey =
          keys.computeIfAbsent(item.message().orderingKey(), key -> new ArrayDeque<>());
      sameKey.add(item);
      if (sameKey.size() > 1) {
        return;
      }
    }
    ready(item);
  }

  private void ready(Item item) {
    (item.message().ordered() ? readyKeyed : readyFree).add(item);
    waiting.forEach(platform::unpark);
  }

  /** Hands out available messages, the oldest first. */
  List<Item> take(int limit, Object holder) {
    long now = platform.nanos();
    while (!timed.isEmpty() && timed.first().due - now <= 0) {
      comeBack(timed.first());
    }
    List<Item> taken = new ArrayList<>();
    while (taken.size() < limit) {
      Item next = next();
      if (next == null) {
        break;
      }
      next.attempt++;
      next.holder = holder;
      next.due = now + settings.ackWithin().toNanos();
      timed.add(next);
      out++;
      outFree += next.message().ordered() ? 0 : 1;
      taken.add(next);
    }
    return taken;
  }

  private @Nullable Item next() {
    Item keyed = readyKeyed.peek();
    Item free = outFree < settings.maxUnacknowledged() ? readyFree.peek() : null;
    if (free == null || (keyed != null && keyed.position < free.position)) {
      return readyKeyed.poll();
    }
    return readyFree.poll();
  }

  private void comeBack(Item item) {
    timed.remove(item);
    noLongerOut(item);
    ready(item);
  }

  private void noLongerOut(Item item) {
    if (item.holder != null) {
      item.holder = null;
      out--;
      outFree -= item.message().ordered() ? 0 : 1;
    }
  }

  /** The time until the next message becomes available; {@code Long.MAX_VALUE}: there is none. */
  long nextDueIn() {
    return timed.isEmpty() ? Long.MAX_VALUE : Math.max(0, timed.first().due - platform.nanos());
  }

  /**
   * Marks the message as done, even if it was handed out again meanwhile.
   *
   * @return false: it was done before
   */
  boolean done(Item item) {
    if (item.done) {
      return false;
    }
    item.done = true;
    size--;
    if (!timed.remove(item)) {
      (item.message().ordered() ? readyKeyed : readyFree).remove(item);
    }
    noLongerOut(item);
    if (item.message().ordered()) {
      Deque<Item> sameKey = keys.getOrDefault(item.message().orderingKey(), new ArrayDeque<>());
      sameKey.poll();
      if (sameKey.isEmpty()) {
        keys.remove(item.message().orderingKey());
      } else {
        ready(sameKey.getFirst());
      }
    }
    waiting.forEach(platform::unpark); // there may be room for an unkeyed message
    return true;
  }

  /** Makes the message available again after that time, unless another delivery has it. */
  void again(Item item, long attempt, long inNanos, boolean stillOut) {
    if (item.done || item.attempt != attempt || item.holder == null) {
      return;
    }
    timed.remove(item);
    if (!stillOut) {
      noLongerOut(item);
    }
    item.due = platform.nanos() + inNanos;
    timed.add(item);
    waiting.forEach(platform::unpark); // waiting threads must check the time again
  }

  void giveUp(Object holder) {
    List.copyOf(timed).stream().filter(item -> holder.equals(item.holder)).forEach(this::comeBack);
  }

  long ackWithinNanos() {
    return settings.ackWithin().toNanos();
  }

  int lag() {
    return size - out;
  }

  void startWaiting() {
    waiting.add(Thread.currentThread());
  }

  void stopWaiting() {
    waiting.remove(Thread.currentThread());
  }

  void wakeAll() {
    waiting.forEach(platform::unpark);
  }
}
