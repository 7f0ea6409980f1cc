package dev.semel.cli;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.event.EventListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Store;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.Job;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.json.Json;
import dev.semel.loop.Loop;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * An application in a process of its own that counts what it does, and prints it: first all counts
 * as one line of JSON, then {@code REPAIRED} when its dead letter ran at last, and {@code RELAXED}
 * when the setting that lets duplicates run has reached it.
 */
final class WatchedApplication {
  static final int PAYMENTS = 40;
  static final int TWICE = 15;
  static final int JOBS = 20;
  static final int MESSAGES = 12;
  static final int AGAIN = 5;

  private static final Duration PAUSE = Duration.ofMillis(100);

  private final AtomicInteger paid = new AtomicInteger();
  private final AtomicInteger exported = new AtomicInteger();
  private final AtomicInteger broken = new AtomicInteger();
  private final AtomicInteger heard = new AtomicInteger();
  private final AtomicInteger probed = new AtomicInteger();

  private WatchedApplication() {}

  /**
   * Runs until it is ended.
   *
   * @param args the store's URL, and the database's
   */
  public static void main(String[] args) throws Exception {
    new WatchedApplication().run(args[0], args[1]);
  }

  private void run(String storeUrl, String databaseUrl) throws Exception {
    Path here = Path.of("").toAbsolutePath();
    try (Store store = Stores.open(storeUrl, here);
        Store database = Stores.open(databaseUrl, here);
        Idempotency idempotency = new Idempotency(store, EventListener.NONE)) {
      int requests = pay(idempotency);
      messages(database);
      Jobs jobs = new Jobs(JobQueues.KNOWN.required(store), idempotency.upkeep());
      for (int i = 0; i < JOBS; i++) {
        jobs.enqueue(Job.of(Key.of("exports", "job-" + i), "{}"));
      }
      try (ExactlyOnceProcessor processor =
          ExactlyOnceProcessor.start(
              jobs,
              idempotency,
              new Operation("exports"),
              (job, execution) -> export(job),
              ProcessorSettings.defaults()
                  .withRetries(2, Duration.ofMillis(1), Duration.ofMillis(1)))) {
        while (processor.counts().executed() < JOBS - 1 || processor.counts().failed() < 1) {
          Thread.onSpinWait();
        }
        System.out.println(
            Json.object()
                .with("requests", requests)
                .with("paid", paid.get())
                .with("exported", exported.get())
                .with("dead", processor.counts().failed())
                .with("messages", MESSAGES)
                .with("heard", heard.get())
                .write());
        Loop probe = Loop.start("probe", () -> probe(idempotency), PAUSE, e -> {});
        new CountDownLatch(1).await(); // until it is ended
        probe.close();
      }
    }
  }

  private int pay(Idempotency idempotency) throws Exception {
    int requests = 0;
    for (int i = 0; i < PAYMENTS + TWICE; i++) {
      idempotency.execute(
          Key.of("payments", "order-" + i % PAYMENTS),
          Fingerprint.NONE,
          Codec.utf8(),
          execution -> "paid " + paid.incrementAndGet());
      requests++;
    }
    return requests;
  }

  private void messages(Store database) throws Exception {
    try (JdbcOutbox outbox = DatabaseOption.outbox(database);
        JdbcInbox inbox = DatabaseOption.inbox(database)) {
      for (int i = 0; i < MESSAGES; i++) {
        outbox.executeWithOutbox(
            connection -> "", Message.of("orders", "{}").withId("message-" + i));
      }
      for (int i = 0; i < MESSAGES + AGAIN; i++) {
        inbox
            .intake("ledger", (connection, message) -> heard.incrementAndGet())
            .take(List.of(Message.of("orders", "{}").withId("heard-" + i % MESSAGES)));
      }
    }
  }

  /** One of them fails as often as it is tried, until an operator gives it back. */
  private void export(Job job) {
    if (job.key().id().equals("job-7") && broken.incrementAndGet() <= 2) {
      throw new IllegalStateException("the printer is out of paper");
    }
    exported.incrementAndGet();
    if (job.key().id().equals("job-7")) {
      System.out.println("REPAIRED");
    }
  }

  /** A duplicate of the first one, unless duplicates of this operation run. */
  private boolean probe(Idempotency idempotency) throws Exception {
    idempotency.execute(
        Key.of("probes", "one"),
        Fingerprint.NONE,
        Codec.utf8(),
        execution -> {
          if (probed.incrementAndGet() == 2) {
            System.out.println("RELAXED");
          }
          return "";
        });
    return false;
  }
}
