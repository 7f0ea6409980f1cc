package dev.semel.transport;

import dev.semel.StoreException;
import dev.semel.internal.PrintableText;
import dev.semel.loop.Platform;
import dev.semel.transport.PublishFailed.Kind;
import dev.semel.transport.spi.Delivery;
import dev.semel.transport.spi.Subscription;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A transport inside one process, for tests and demos; messages are lost when the process ends. A
 * message is kept until every consumer known by then has acknowledged it, and at least one has;
 * later consumers get the messages that are still there.
 */
public final class MemoryTransport implements Transport {
  private final Platform platform;
  private final MemoryTransportSettings settings;
  private final Lock lock = new ReentrantLock();
  private final Map<String, Destination> destinations = new HashMap<>();
  private final Map<String, Long> knownIds = new LinkedHashMap<>();
  private long lastPosition;
  private int kept;
  private boolean closed;

  public MemoryTransport() {
    this(Platform.REAL, MemoryTransportSettings.defaults());
  }

  public MemoryTransport(Platform platform, MemoryTransportSettings settings) {
    this.platform = platform;
    this.settings = settings;
  }

  /** A message with its position. */
  record Kept(long position, Message message) {}

  /** The messages of a destination, and which consumers have yet to acknowledge them. */
  private static final class Destination {
    private final Map<String, MemoryQueue> consumers = new HashMap<>();
    private final Map<Long, Kept> messages = new TreeMap<>();
    private final Map<Long, Integer> open = new HashMap<>();
  }

  @Override
  public String describe() {
    return "memory";
  }

  @Override
  public CompletionStage<PublishResult> publish(Message message) {
    lock.lock();
    try {
      return CompletableFuture.completedFuture(store(message));
    } catch (PublishFailed e) {
      return CompletableFuture.failedFuture(e);
    } finally {
      lock.unlock();
    }
  }

  private PublishResult store(Message message) {
    if (closed) {
      throw new PublishFailed(Kind.UNREACHABLE, "the transport is closed");
    }
    if (!knows(message.destination())) {
      throw new PublishFailed(
          Kind.REFUSED,
          "there is no destination %s here: send to another, or add it"
              .formatted(PrintableText.quoted(message.destination())));
    }
    if (message.bytes() > settings.maxMessageBytes()) {
      throw new PublishFailed(
          Kind.REFUSED,
          "the message is %d bytes long and the limit (maxMessageBytes) is %d: send less of it"
              .formatted(message.bytes(), settings.maxMessageBytes()));
    }
    Long before = knownIds.get(message.id());
    if (before != null) {
      return new PublishResult(true, Long.toString(before));
    }
    if (kept >= settings.maxMessages()) {
      throw new PublishFailed(
          Kind.BUSY,
          "%d messages wait to be acknowledged, which is the limit (maxMessages)".formatted(kept));
    }
    return new PublishResult(false, Long.toString(add(message)));
  }

  private boolean knows(String destination) {
    return settings.destinations().isEmpty() || settings.destinations().contains(destination);
  }

  private long add(Message message) {
    long position = ++lastPosition;
    knownIds.put(message.id(), position);
    if (knownIds.size() > settings.maxKnownIds()) {
      knownIds.remove(knownIds.keySet().iterator().next());
    }
    Kept entry = new Kept(position, message);
    Destination destination =
        destinations.computeIfAbsent(message.destination(), name -> new Destination());
    destination.messages.put(position, entry);
    destination.open.put(position, destination.consumers.size());
    kept++;
    destination.consumers.values().forEach(queue -> queue.add(new MemoryQueue.Item(entry)));
    return position;
  }

  /** The next message may overtake one that was refused because the memory was full. */
  @Override
  public boolean keepsOrder() {
    return false;
  }

  @Override
  public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
    Transport.requireConsumer(consumer);
    lock.lock();
    try {
      if (closed) {
        throw new StoreException("the transport is closed");
      }
      if (!knows(destination)) {
        throw new StoreException(
            "there is no destination %s here: subscribe to another, or add it"
                .formatted(PrintableText.quoted(destination)));
      }
      Destination from = destinations.computeIfAbsent(destination, name -> new Destination());
      MemoryQueue queue = from.consumers.computeIfAbsent(consumer, name -> newQueue(from, how));
      queue.settings(how);
      return new Reader(from, queue);
    } finally {
      lock.unlock();
    }
  }

  private MemoryQueue newQueue(Destination from, SubscribeSettings how) {
    MemoryQueue queue = new MemoryQueue(platform, how);
    from.messages.values().forEach(entry -> queue.add(new MemoryQueue.Item(entry)));
    from.open.replaceAll((position, count) -> count + 1);
    return queue;
  }

  @Override
  public List<String> hazards(Duration retrySpan) {
    return List.of(
        "messages are kept in memory only, and are gone when the process ends: use a broker where"
            + " that is not enough");
  }

  @Override
  public void close() {
    lock.lock();
    try {
      closed = true;
      destinations.values().forEach(d -> d.consumers.values().forEach(MemoryQueue::wakeAll));
    } finally {
      lock.unlock();
    }
  }

  /** One subscription to a consumer's messages. */
  private final class Reader implements Subscription {
    private final Destination from;
    private final MemoryQueue queue;
    private boolean ended;

    Reader(Destination from, MemoryQueue queue) {
      this.from = from;
      this.queue = queue;
    }

    @Override
    public List<Delivery> receive(int limit, Duration patience) throws InterruptedException {
      long deadline = platform.nanos() + patience.toNanos();
      while (true) {
        long rest;
        lock.lock();
        try {
          requireOpen();
          List<MemoryQueue.Item> taken = queue.take(limit, this);
          rest = Math.min(deadline - platform.nanos(), queue.nextDueIn());
          if (!taken.isEmpty() || deadline - platform.nanos() <= 0) {
            return deliveries(taken);
          }
          queue.startWaiting();
        } finally {
          lock.unlock();
        }
        platform.park(this, rest);
        stopWaiting();
        if (Thread.interrupted()) {
          throw new InterruptedException();
        }
      }
    }

    private void stopWaiting() {
      lock.lock();
      try {
        queue.stopWaiting();
      } finally {
        lock.unlock();
      }
    }

    private void requireOpen() {
      if (closed || ended) {
        throw new StoreException("the subscription is closed: subscribe again");
      }
    }

    private List<Delivery> deliveries(List<MemoryQueue.Item> items) {
      List<Delivery> deliveries = new ArrayList<>(items.size());
      items.forEach(item -> deliveries.add(new Handed(this, item, item.attempt())));
      return deliveries;
    }

    private void acknowledge(MemoryQueue.Item item) {
      lock.lock();
      try {
        if (closed) {
          throw new StoreException("the transport is closed, and the message not acknowledged");
        }
        if (queue.done(item) && from.open.merge(item.position, -1, Integer::sum) == 0) {
          from.open.remove(item.position);
          from.messages.remove(item.position);
          kept--;
        }
      } finally {
        lock.unlock();
      }
    }

    private void again(MemoryQueue.Item item, long attempt, long inNanos, boolean stillOut) {
      lock.lock();
      try {
        queue.again(item, attempt, inNanos, stillOut);
      } finally {
        lock.unlock();
      }
    }

    @Override
    public long lag() {
      lock.lock();
      try {
        return queue.lag();
      } finally {
        lock.unlock();
      }
    }

    @Override
    public void close() {
      lock.lock();
      try {
        ended = true;
        queue.giveUp(this);
        queue.wakeAll();
      } finally {
        lock.unlock();
      }
    }
  }

  /** A message that a subscription holds. */
  private record Handed(Reader reader, MemoryQueue.Item item, long attempt) implements Delivery {
    @Override
    public Message message() {
      return item.message();
    }

    @Override
    public void acknowledge() {
      reader.acknowledge(item);
    }

    @Override
    public void retry(Duration pause) {
      reader.again(item, attempt, pause.toNanos(), false);
    }

    @Override
    public void extend() {
      reader.again(item, attempt, reader.queue.ackWithinNanos(), true);
    }
  }
}
