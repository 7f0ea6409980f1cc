package dev.semel.benchmarks.messages;

import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.transport.Message;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.stream.IntStream;
import javax.sql.DataSource;

/** The inbox against a bare one's statements, with a handler that updates an account. */
final class InboxRaces {
  private static final int ROUNDS = 5;
  private static final Duration ROUND = Duration.ofSeconds(3);
  private static final int ACCOUNTS = 1000;

  private static final String UPDATE = "UPDATE account SET cents = cents + 1 WHERE id = ?";
  private static final String RECORD =
      "INSERT INTO bare_inbox (consumer, id, seen_at) SELECT 'bare', id, now()"
          + " FROM unnest(?::text[]) AS id ON CONFLICT DO NOTHING RETURNING id";

  private final Findings out;
  private final DataSource source;
  private final JdbcInbox inbox;
  private int account;

  InboxRaces(Findings out, DataSource source, JdbcInbox inbox) {
    this.out = out;
    this.source = source;
    this.inbox = inbox;
  }

  @FunctionalInterface
  private interface Batch {
    void take(List<Message> messages) throws SQLException;
  }

  void run() throws Exception {
    OutboxBenchmark.execute(source, "CREATE TABLE account (id int PRIMARY KEY, cents bigint)");
    OutboxBenchmark.execute(
        source,
        "INSERT INTO account SELECT n, 0 FROM generate_series(0, %d) n".formatted(ACCOUNTS));
    OutboxBenchmark.execute(
        source,
        "CREATE TABLE bare_inbox (consumer text, id text, seen_at timestamptz,"
            + " PRIMARY KEY (consumer, id))");
    ConsumerInbox consumerInbox =
        inbox.consumerInbox("ledger", (connection, message) -> update(connection));
    race("inbox, batches of 100", consumerInbox::take, 100);
    race("inbox, one at a time", consumerInbox::take, 1);
  }

  private boolean update(Connection connection) throws SQLException {
    try (PreparedStatement statement = connection.prepareStatement(UPDATE)) {
      statement.setInt(1, account++ % ACCOUNTS);
      return statement.executeUpdate() == 1;
    }
  }

  /** One transaction: the ids, and the handler's statement for each new one. */
  private void bare(List<Message> messages) throws SQLException {
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement record = connection.prepareStatement(RECORD)) {
        record.setArray(
            1, connection.createArrayOf("text", messages.stream().map(Message::id).toArray()));
        List<String> fresh = new ArrayList<>();
        try (ResultSet rs = record.executeQuery()) {
          while (rs.next()) {
            fresh.add(rs.getString(1));
          }
        }
        for (int i = 0; i < fresh.size(); i++) {
          update(connection);
        }
      }
      connection.commit();
      connection.setAutoCommit(true);
    }
  }

  private void race(String title, Batch ours, int size) throws Exception {
    new Rounds(out, ROUNDS)
        .limit(title, () -> rate(ours, size), "bare statements", () -> rate(this::bare, size), 0.8);
  }

  private double rate(Batch batch, int size) throws SQLException {
    long started = System.nanoTime();
    long done = 0;
    while (System.nanoTime() - started < out.pace().round(ROUND).toNanos()) {
      batch.take(
          IntStream.range(0, size)
              .mapToObj(i -> Message.of("orders", "x").withId(UUID.randomUUID().toString()))
              .toList());
      done += size;
    }
    return done * 1e9 / (System.nanoTime() - started);
  }
}
