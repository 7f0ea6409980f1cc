package dev.semel.benchmarks.messages;

import dev.semel.testservices.PostgresService;
import io.debezium.embedded.Connect;
import io.debezium.engine.DebeziumEngine;
import io.debezium.engine.RecordChangeEvent;
import io.debezium.engine.format.ChangeEventFormat;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.apache.kafka.connect.source.SourceRecord;

/**
 * Debezium's embedded engine with its outbox router, on a separate table in the same database. It
 * reads the write-ahead log, and its messages are confirmed at once.
 */
final class DebeziumPeer implements AutoCloseable {
  private static final int PAYLOAD = 256;
  private static final int PER_TRANSACTION = 1000;
  private static final int WARM = 5;
  private static final long PATIENCE_SECONDS = 120;

  private final DataSource source;
  private final DebeziumEngine<RecordChangeEvent<SourceRecord>> engine;
  private final Thread thread;
  private final BlockingQueue<Long> times = new LinkedBlockingQueue<>();
  private volatile CountDownLatch gate = new CountDownLatch(0);

  private DebeziumPeer(DataSource source, Properties settings) {
    this.source = source;
    this.engine =
        DebeziumEngine.create(ChangeEventFormat.of(Connect.class))
            .using(settings)
            .notifying(this::take)
            .using(
                (success, message, error) -> {
                  if (!success) {
                    System.err.println("Debezium ended: " + message);
                  }
                })
            .build();
    this.thread = Thread.ofPlatform().name("bench-debezium").start(engine);
  }

  /** Starts an engine, and waits until it reads the log. */
  static DebeziumPeer start(PostgresService service, DataSource source) throws Exception {
    OutboxBenchmark.execute(
        source,
        "CREATE TABLE IF NOT EXISTS peer_outbox (id uuid PRIMARY KEY, aggregatetype text NOT NULL,"
            + " aggregateid text NOT NULL, type text NOT NULL, payload bytea)");
    DebeziumPeer peer = new DebeziumPeer(source, settings(service, database(source)));
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
    while (!peer.reads()) {
      if (System.nanoTime() > end) {
        peer.close();
        throw new IllegalStateException("Debezium did not begin to read");
      }
      TimeUnit.MILLISECONDS.sleep(50);
    }
    return peer;
  }

  private static String database(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection()) {
      return connection.getCatalog();
    }
  }

  private static Properties settings(PostgresService service, String database) {
    Properties settings = new Properties();
    settings.setProperty("name", "peer");
    settings.setProperty("topic.prefix", "peer");
    settings.setProperty("connector.class", "io.debezium.connector.postgresql.PostgresConnector");
    settings.setProperty(
        "offset.storage", "org.apache.kafka.connect.storage.MemoryOffsetBackingStore");
    settings.setProperty("bootstrap.servers", "nobody:9092"); // required, but never used
    settings.setProperty("database.hostname", "127.0.0.1");
    settings.setProperty("database.port", Integer.toString(service.port()));
    settings.setProperty("database.user", "postgres");
    settings.setProperty("database.password", "");
    settings.setProperty("database.dbname", database);
    settings.setProperty("plugin.name", "pgoutput");
    settings.setProperty("slot.name", "peer");
    settings.setProperty("slot.drop.on.stop", "true");
    settings.setProperty("publication.autocreate.mode", "filtered");
    settings.setProperty("table.include.list", "public.peer_outbox");
    settings.setProperty("snapshot.mode", "no_data");
    settings.setProperty("transforms", "outbox");
    settings.setProperty("transforms.outbox.type", "io.debezium.transforms.outbox.EventRouter");
    // How often it polls for new events. The default of half a second would dominate all figures.
    settings.setProperty("poll.interval.ms", "1");
    return settings;
  }

  private boolean reads() throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement();
        ResultSet rs = statement.executeQuery("SELECT 1 FROM pg_replication_slots WHERE active")) {
      return rs.next();
    }
  }

  private void take(
      List<RecordChangeEvent<SourceRecord>> events,
      DebeziumEngine.RecordCommitter<RecordChangeEvent<SourceRecord>> committer)
      throws InterruptedException {
    gate.await();
    for (RecordChangeEvent<SourceRecord> each : events) {
      times.add(System.nanoTime());
      committer.markProcessed(each);
    }
    committer.markBatchFinished();
  }

  /**
   * Builds a backlog while the engine is blocked. The engine has some thousand events read ahead,
   * which is to its advantage.
   *
   * @return seconds from the opening to the last message
   */
  double drain(int messages) throws Exception {
    gate = new CountDownLatch(1);
    for (int i = 0; i < messages; i += PER_TRANSACTION) {
      insert(Math.min(PER_TRANSACTION, messages - i));
    }
    OutboxBenchmark.execute(source, "CHECKPOINT");
    long started = System.nanoTime();
    gate.countDown();
    for (int i = 0; i < messages; i++) {
      await();
    }
    double seconds = (System.nanoTime() - started) / 1e9;
    OutboxBenchmark.execute(source, "TRUNCATE peer_outbox");
    return seconds;
  }

  /** Latencies in milliseconds from each commit on, without other load. */
  List<Double> latencies(int commits) throws Exception {
    List<Double> millis = new ArrayList<>();
    for (int i = -WARM; i < commits; i++) {
      insert(1);
      long committed = System.nanoTime();
      double took = Math.max(0, await() - committed) / 1e6;
      if (i >= 0) {
        millis.add(took);
      }
    }
    return millis;
  }

  private long await() throws InterruptedException {
    Long time = times.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (time == null) {
      throw new IllegalStateException("Debezium brought nothing more");
    }
    return time;
  }

  private void insert(int messages) throws SQLException {
    OutboxBenchmark.execute(
        source,
        """
        INSERT INTO peer_outbox
        SELECT gen_random_uuid(), 'orders', 'k' || n %% 1000, 'placed', decode(repeat('78', %d), 'hex')
        FROM generate_series(1, %d) n"""
            .formatted(PAYLOAD, messages));
  }

  @Override
  public void close() {
    try {
      engine.close();
      thread.join();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
