package dev.semel.jdbc;

import dev.semel.tck.StoreUnderTest;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * One engine with a separate database for one test class: its parts open on first use, and close
 * after the last test.
 */
final class SqlUnderTest implements AutoCloseable {
  private final String engine;
  private final Deque<AutoCloseable> open = new ArrayDeque<>();
  private final Opened<StoreUnderTest> store;
  private final Opened<InboxFixture> inbox;
  private final Opened<OutboxFixture> outbox;
  private final Opened<JobsFixture> jobs;

  SqlUnderTest(
      String engine,
      Callable<StoreUnderTest> store,
      Callable<InboxFixture> inbox,
      Callable<OutboxFixture> outbox,
      Callable<JobsFixture> jobs) {
    this.engine = engine;
    this.store = new Opened<>(store);
    this.inbox = new Opened<>(inbox);
    this.outbox = new Opened<>(outbox);
    this.jobs = new Opened<>(jobs);
  }

  StoreUnderTest store() {
    return store.get();
  }

  InboxFixture inbox() {
    return inbox.get();
  }

  OutboxFixture outbox() {
    return outbox.get();
  }

  JobsFixture jobs() {
    return jobs.get();
  }

  /** Locked, because tests ask from several threads. */
  private final class Opened<T> {
    private final Callable<T> opening;
    private @Nullable T value;

    Opened(Callable<T> opening) {
      this.opening = opening;
    }

    T get() {
      synchronized (open) {
        if (value == null) {
          try {
            value = opening.call();
          } catch (Exception e) {
            throw new IllegalStateException("no database on " + engine, e);
          }
          open.push((AutoCloseable) value);
        }
        return value;
      }
    }
  }

  @Override
  public void close() {
    synchronized (open) {
      while (!open.isEmpty()) {
        try {
          open.pop().close();
        } catch (Exception e) {
          throw new IllegalStateException(engine + " can't be closed", e);
        }
      }
    }
  }

  /** The engine's name in test reports. */
  @Override
  public String toString() {
    return engine;
  }
}
