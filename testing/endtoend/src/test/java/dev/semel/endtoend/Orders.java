package dev.semel.endtoend;

import dev.semel.proof.history.MessageChecker;
import dev.semel.transport.Message;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;

/** Writes orders, some of them in transactions that are rolled back, and knows which committed. */
final class Orders implements AutoCloseable {
  private static final int WRITERS = 4;
  private static final int KEYS_EACH = 5;

  /** Enough keys that every partition and every partition has some of them. */
  private static final int PROBES = 64;

  private final Shop shop;
  private final String destination;
  private final AtomicInteger next = new AtomicInteger();
  private final List<List<MessageChecker.Message>> sent = new ArrayList<>();
  private final List<MessageChecker.Message> probes = new ArrayList<>();
  private final List<CompletableFuture<Void>> written = new ArrayList<>();
  private final ExecutorService threads =
      Executors.newFixedThreadPool(WRITERS, Thread.ofPlatform().daemon().factory());
  private volatile boolean stopped;
  private int probed;

  Orders(Shop shop, String destination) {
    this.shop = shop;
    this.destination = destination;
    for (int writer = 0; writer < WRITERS; writer++) {
      sent.add(Collections.synchronizedList(new ArrayList<>()));
    }
  }

  /**
   * Writes beside the caller. Each key has one writer, so the order of its messages is known.
   *
   * @param wanted whether there is to be an order with this number
   */
  void writeBeside(Duration pause, IntPredicate wanted) {
    for (int writer = 0; writer < WRITERS; writer++) {
      int me = writer;
      written.add(
          CompletableFuture.runAsync(
              () -> {
                for (int n = next.getAndIncrement();
                    !stopped && wanted.test(n);
                    n = next.getAndIncrement()) {
                  write(me, n);
                  LockSupport.parkNanos(pause.toNanos());
                }
              },
              threads));
    }
  }

  /** Writes so many more. */
  void write(int count) {
    for (int i = 0; i < count; i++) {
      int n = next.getAndIncrement();
      write(n % WRITERS, n);
    }
  }

  private void write(int writer, int n) {
    String key = n % 10 == 0 ? "" : "customer-" + writer + "-" + n % KEYS_EACH;
    if (n % 7 == 0) {
      shop.orderAndRollBack(message("rolled-back-" + n, key));
    }
    Message message = message("order-" + n, key);
    shop.order(List.of(message));
    sent.get(writer).add(new MessageChecker.Message(message.id(), key, true));
  }

  private Message message(String name, String key) {
    return Message.of(destination, name).withIdOf(name).withOrderingKey(key);
  }

  /**
   * Writes one order of each of many keys: once all took effect, nobody holds a partition or a
   * partition without working on it. For one thread.
   *
   * @return their ids
   */
  List<String> probe() {
    int round = probed++;
    List<Message> messages =
        IntStream.range(0, PROBES)
            .mapToObj(i -> message("probe-" + round + "-" + i, "probe-" + i))
            .toList();
    shop.order(messages);
    messages.forEach(
        each -> probes.add(new MessageChecker.Message(each.id(), each.orderingKey(), true)));
    return messages.stream().map(Message::id).toList();
  }

  /** Fails if a writer failed. */
  void check() {
    written.stream().filter(CompletableFuture::isCompletedExceptionally).forEach(f -> f.join());
  }

  /** Lets writers finish the order they are at. */
  void stop() {
    stopped = true;
  }

  /** Waits for the writers; fails if one of them failed. */
  void join() {
    written.forEach(CompletableFuture::join);
  }

  /** Those that committed, the orders of a key in their order. */
  List<MessageChecker.Message> committed() {
    List<MessageChecker.Message> all = new ArrayList<>(probes);
    sent.forEach(each -> all.addAll(List.copyOf(each)));
    return all;
  }

  @Override
  public void close() {
    stopped = true;
    threads.shutdownNow();
  }
}
