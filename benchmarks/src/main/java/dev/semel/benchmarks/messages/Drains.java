package dev.semel.benchmarks.messages;

import com.gruelbox.transactionoutbox.Dialect;
import com.gruelbox.transactionoutbox.Instantiator;
import com.gruelbox.transactionoutbox.Persistor;
import com.gruelbox.transactionoutbox.TransactionManager;
import com.gruelbox.transactionoutbox.TransactionOutbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.outbox.Relay;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.spi.OutboxStore;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.sql.DataSource;

/** Ways to move all messages of a table to a broker that confirms everything at once. */
final class Drains {
  private static final int PAYLOAD = 256;
  private static final int BATCH = 1000;
  private static final int PEER_THREADS = 8;
  private static final Duration PEER_PAUSE = Duration.ofSeconds(2);
  private static final long PER_PARTITION = 1L << 52;

  private static final String READ =
      "SELECT place, id, destination, ordering_key, type, payload, headers, attempts"
          + " FROM semel_outbox WHERE place > ? AND place < ? ORDER BY place LIMIT "
          + BATCH;

  private final DataSource source;
  private final JdbcOutbox outbox;

  Drains(DataSource source, JdbcOutbox outbox) {
    this.source = source;
    this.outbox = outbox;
  }

  /** Fills all partitions, and vacuums the table. */
  void fill(int messages) throws SQLException {
    fill(messages, "orders");
  }

  /** Fills the queue for another destination, whose name needs no quotes. */
  void fill(int messages, String destination) throws SQLException {
    insert(messages, destination);
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("VACUUM ANALYZE semel_outbox");
      statement.execute("CHECKPOINT");
    }
  }

  /** Fills the queue without vacuuming. */
  void insert(int messages, String destination) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          INSERT INTO semel_outbox (place, created_millis, attempts, id, destination, ordering_key,
            payload)
          SELECT (n %% %d) * %d + nextval('semel_outbox_seq'), 0, 0, gen_random_uuid()::text,
            '%s', 'k' || n %% 1000, decode(repeat('78', %d), 'hex')
          FROM generate_series(1, %d) n"""
              .formatted(OutboxStore.PARTITIONS, PER_PARTITION, destination, PAYLOAD, messages));
    }
  }

  /** Drains with one relay, from its start to the last message. */
  void relay(int messages) throws InterruptedException {
    Counting broker = new Counting(messages);
    try (Relay relay = Relay.start(outbox.store(), broker, RelaySettings.defaults())) {
      broker.awaitAll();
      while (relay.counts().published() < messages) {
        Thread.onSpinWait();
      }
    }
  }

  /** Drains with a relay's minimum of statements: one partition after another. */
  void bare(int messages) throws SQLException {
    long[] seen = {0};
    try (Connection connection = source.getConnection();
        PreparedStatement read = connection.prepareStatement(READ);
        PreparedStatement delete =
            connection.prepareStatement("DELETE FROM semel_outbox WHERE place = ANY (?)")) {
      try (Statement statement = connection.createStatement()) {
        statement.execute("SET enable_seqscan = off");
      }
      for (int partition = 0; partition < OutboxStore.PARTITIONS; partition++) {
        while (batch(connection, read, delete, partition, seen)) {}
      }
    }
    if (seen[0] != messages) {
      throw new IllegalStateException("of %d there were %d".formatted(messages, seen[0]));
    }
  }

  private static boolean batch(
      Connection connection,
      PreparedStatement read,
      PreparedStatement delete,
      int partition,
      long[] seen)
      throws SQLException {
    read.setLong(1, partition * PER_PARTITION);
    read.setLong(2, (partition + 1) * PER_PARTITION);
    Long[] places = new Long[BATCH];
    int count = 0;
    try (ResultSet rs = read.executeQuery()) {
      while (rs.next()) {
        places[count++] = rs.getLong(1);
        seen[0] += rs.getString(2).isEmpty() || rs.getBytes(6).length != PAYLOAD ? 0 : 1;
      }
    }
    if (count == 0) {
      return false;
    }
    delete.setArray(1, connection.createArrayOf("int8", Arrays.copyOf(places, count)));
    delete.executeUpdate();
    return true;
  }

  /** Called once for each message. */
  public interface Publisher {
    void publish(String payload);
  }

  /**
   * Drains with the peer: its tasks are first scheduled without running, and then run by its
   * threads.
   *
   * @return seconds for the second part
   */
  double peer(int messages) throws InterruptedException {
    AtomicBoolean draining = new AtomicBoolean();
    CountDownLatch done = new CountDownLatch(messages);
    try (ExecutorService threads = Executors.newFixedThreadPool(PEER_THREADS)) {
      TransactionManager transactions = TransactionManager.fromDataSource(source);
      TransactionOutbox peer =
          TransactionOutbox.builder()
              .transactionManager(transactions)
              .persistor(Persistor.forDialect(Dialect.POSTGRESQL_9))
              .instantiator(Instantiator.using(type -> (Publisher) payload -> done.countDown()))
              .attemptFrequency(PEER_PAUSE)
              .flushBatchSize(BATCH)
              .submitter(
                  (entry, run) -> {
                    if (draining.get()) {
                      threads.execute(() -> run.accept(entry));
                    }
                  })
              .build();
      String payload = "x".repeat(PAYLOAD);
      for (int i = 0; i < messages; i += BATCH) {
        int size = Math.min(BATCH, messages - i);
        transactions.inTransaction(
            () -> {
              for (int n = 0; n < size; n++) {
                peer.schedule(Publisher.class).publish(payload);
              }
            });
      }
      TimeUnit.NANOSECONDS.sleep(PEER_PAUSE.toNanos()); // before that the peer leaves them alone
      draining.set(true);
      long started = System.nanoTime();
      while (done.getCount() > 0) {
        peer.flush();
      }
      return (System.nanoTime() - started) / 1e9;
    }
  }
}
