package dev.semel.tck.proof;

import dev.semel.StoreException;
import dev.semel.tck.ChildJvm;
import dev.semel.tck.FaultProxy;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A worker that is killed and started again under the same number. Each of its lives writes a
 * history of its own. For one thread.
 */
final class WorkerProcess implements AutoCloseable {
  private static final Duration START_LIMIT = Duration.ofSeconds(60);
  private static final Duration END_LIMIT = Duration.ofSeconds(20);

  /** Of its first life. */
  private final WorkerOrders orders;

  private final Class<?> main;
  private final Optional<FaultProxy> proxy;
  private final List<Life> lives = new CopyOnWriteArrayList<>(); // the end of the JVM reads it too
  private long beganNanos;
  private long executions;

  private record Life(ChildJvm child, Path history) {}

  /**
   * Starts it.
   *
   * @param proxy on its way to the store; closed with it
   */
  WorkerProcess(WorkerOrders orders, Class<?> main, Optional<FaultProxy> proxy) {
    this.orders = orders;
    this.main = main;
    this.proxy = proxy;
    live();
  }

  private void live() {
    String name = orders.client() + (lives.isEmpty() ? "" : "." + (lives.size() + 1));
    Path history = orders.history().resolveSibling(name + ".jsonl");
    ChildJvm child = ChildJvm.start(main, orders.history().resolveSibling(name + ".log"));
    lives.add(new Life(child, history));
    child.tell(
        new WorkerOrders(
                orders.url(),
                history,
                name,
                orders.run(),
                orders.keysPerSecond(),
                orders.perSecond(),
                orders.seed() + lives.size())
            .line());
  }

  private Life life() {
    return lives.get(lives.size() - 1);
  }

  String name() {
    return orders.client();
  }

  Optional<FaultProxy> proxy() {
    return proxy;
  }

  ChildJvm child() {
    return life().child();
  }

  /**
   * Returns when it has opened the store.
   *
   * @throws StoreException when it can't
   */
  void awaitReady() {
    Waiting.until(START_LIMIT, () -> ready() || !child().alive());
    if (!ready()) {
      throw new StoreException("%s did not start: %s".formatted(name(), child().output().strip()));
    }
  }

  void go(long began) {
    beganNanos = began;
    child().tell(Long.toString(began));
  }

  private boolean ready() {
    return child().output().startsWith(Worker.READY);
  }

  /** Whether it works again within the limit; one that can't open the store tries again. */
  boolean revive(Duration limit) {
    live();
    boolean revived =
        Waiting.until(
            limit,
            () -> {
              if (!ready() && !child().alive()) {
                live();
              }
              return ready();
            });
    if (revived) {
      child().tell(Long.toString(beganNanos));
    }
    return revived;
  }

  /** Never less than it said before. */
  long executions() {
    long counted = lives.stream().mapToLong(life -> last(life.child().output())).sum();
    executions = Math.max(executions, counted);
    return executions;
  }

  /** The last line that is whole; its first says only that it is ready. */
  private static long last(String output) {
    int end = output.lastIndexOf('\n');
    String line = output.substring(output.lastIndexOf('\n', end - 1) + 1, Math.max(end, 0)).strip();
    return line.matches("\\d+") ? Long.parseLong(line) : 0;
  }

  void askToEnd() {
    child().tell(Worker.END);
  }

  /** One that does not end by itself is killed, which the history can bear. */
  void awaitEnd() {
    Waiting.until(END_LIMIT, () -> !child().alive());
    child().kill();
  }

  List<Path> histories() {
    return lives.stream().map(Life::history).toList();
  }

  @Override
  public void close() {
    lives.forEach(life -> life.child().close());
    proxy.ifPresent(FaultProxy::close);
  }
}
