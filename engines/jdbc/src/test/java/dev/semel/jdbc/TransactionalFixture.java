package dev.semel.jdbc;

import dev.semel.Key;
import dev.semel.event.Event;
import dev.semel.idempotency.OperationSettings;
import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.internal.DecisionReporter;
import dev.semel.idempotency.internal.StatisticsCollector;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.transaction.EngineTransactions;
import dev.semel.jdbc.internal.transaction.ReportedTransactions;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;

/** A store, same-transaction mode on it, and a separate connection that sees what was committed. */
final class TransactionalFixture implements AutoCloseable {
  private final IdempotencyStore store;
  private final TransactionalIdempotency transactional;
  private final Connection stranger;
  private final Consumer<Duration> elapse;
  private final Reports reports;

  TransactionalFixture(
      IdempotencyStore store,
      TransactionalIdempotency transactional,
      Connection stranger,
      Consumer<Duration> elapse,
      Reports reports) {
    this.store = store;
    this.transactional = transactional;
    this.stranger = stranger;
    this.elapse = elapse;
    this.reports = reports;
  }

  /** Records reported events. */
  static final class Reports {
    private final Queue<Event> events = new ConcurrentLinkedQueue<>();
    private final StatisticsCollector statistics;

    Reports(Store store) {
      this.statistics = new StatisticsCollector(store.statistics());
    }

    /** Without settings, so that only the work itself takes a connection. */
    TransactionalIdempotency on(EngineTransactions transactions) {
      return new TransactionalIdempotency(
          new ReportedTransactions(
              transactions, new DecisionReporter(statistics, events::add), TimingListener.NONE),
          operation -> OperationSettings.NONE);
    }
  }

  IdempotencyStore store() {
    return store;
  }

  TransactionalIdempotency transactional() {
    return transactional;
  }

  void elapse(Duration d) {
    elapse.accept(d);
  }

  List<Event> events(Key key) {
    return reports.events.stream()
        .filter(e -> e instanceof Event.Keyed keyed && keyed.key().equals(key))
        .toList();
  }

  static void insertEffect(Connection connection, Key key) throws SQLException {
    try (PreparedStatement insert =
        connection.prepareStatement("INSERT INTO effect (what) VALUES (?)")) {
      insert.setString(1, key.text());
      insert.executeUpdate();
    }
  }

  void execute(String sql) throws SQLException {
    try (PreparedStatement statement = stranger.prepareStatement(sql)) {
      statement.execute();
    }
  }

  /** The number of the key's committed effects. */
  synchronized int effects(Key key) throws SQLException {
    try (PreparedStatement count =
        stranger.prepareStatement("SELECT count(*) FROM effect WHERE what = ?")) {
      count.setString(1, key.text());
      try (ResultSet rs = count.executeQuery()) {
        rs.next();
        return rs.getInt(1);
      }
    }
  }

  @Override
  public void close() throws SQLException {
    transactional.close();
    stranger.close();
  }
}
