package dev.semel.benchmarks;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Maintenance;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.testservices.PostgresService;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.UUID;
import javax.sql.DataSource;
import org.springframework.integration.jdbc.metadata.JdbcMetadataStore;

/**
 * Same-transaction mode against the same statements without our code, and an execution of two
 * commits against a key store of the same shape.
 */
final class PostgresBenchmark {
  private static final int THREADS = 8;

  private static final String LOCK_AND_LOOK =
      "SELECT pg_try_advisory_xact_lock(hashtextextended(?, 0)), set_config('semel.token', ?, true);"
          + " SELECT state, token, payload FROM bare WHERE key = ?";

  private PostgresBenchmark() {}

  static void run(Findings out) throws Exception {
    try (PostgresService service = PostgresService.start();
        HikariDataSource source = new HikariDataSource()) {
      source.setJdbcUrl(service.freshDatabase().jdbcUrl());
      source.setMaximumPoolSize(THREADS);
      PostgresStore store = PostgresStore.open(source);
      createTables(source);
      try (Maintenance maintenance = Maintenance.start(store, SemelListener.NONE);
          TransactionalIdempotency idempotency = TransactionalIdempotency.on(store, maintenance);
          Idempotency apart = new Idempotency(store, SemelListener.NONE)) {
        Race race =
            new Race(
                THREADS,
                Thread.ofPlatform().daemon().name("bench-", 0).factory(),
                Duration.ofSeconds(4),
                out);
        race.run(
            "postgresql, same transaction, 8 threads",
            number -> ours(idempotency, number),
            "the same statements, raw",
            number -> raw(source, number),
            0.8);
        JdbcMetadataStore spring = springIntegration(source);
        race.peer(
            "postgresql, first execution, 8 threads",
            number -> execute(apart, "apart-" + number),
            "Spring Integration, metadata store",
            number -> {
              if (spring.putIfAbsent("apart-" + number, "running") == null) {
                spring.replace("apart-" + number, "running", "receipt");
              }
            },
            Double.NaN);
        execute(apart, "done");
        spring.put("done", "receipt");
        race.peer(
            "postgresql, replay, 8 threads",
            number -> execute(apart, "done"),
            "Spring Integration, metadata store",
            number -> spring.get("done"),
            Double.NaN);
      }
    }
  }

  private static void execute(Idempotency idempotency, String id) {
    idempotency.execute(
        Key.of("payment", id), Fingerprint.of("10 EUR"), Codec.utf8(), execution -> "receipt");
  }

  /** The store of Spring Integration's idempotent receiver. */
  private static JdbcMetadataStore springIntegration(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          "CREATE TABLE int_metadata_store (metadata_key varchar(255), metadata_value"
              + " varchar(4000), region varchar(100), PRIMARY KEY (metadata_key, region))");
    }
    JdbcMetadataStore spring = new JdbcMetadataStore(source);
    spring.afterPropertiesSet();
    return spring;
  }

  private static void createTables(DataSource source) throws SQLException {
    try (Connection connection = source.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE effect (number bigint)");
      statement.execute(
          "CREATE TABLE bare (key text COLLATE \"C\" PRIMARY KEY, state text, token uuid,"
              + " attempt int, fingerprint text, request_id text, claimed_at timestamptz,"
              + " lease_until timestamptz, expires_at timestamptz, ended_at timestamptz,"
              + " payload_type text, payload bytea)");
      statement.execute("CREATE INDEX ON bare USING brin (expires_at)");
    }
  }

  private static void ours(TransactionalIdempotency idempotency, long number) throws SQLException {
    idempotency.execute(
        ExecutionRequest.of(Key.of("payment", "order-" + number), Codec.utf8())
            .withFingerprint(Fingerprint.of("10 EUR")),
        (connection, execution) -> {
          effect(connection, number);
          return "receipt";
        });
  }

  private static void effect(Connection connection, long number) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement("INSERT INTO effect VALUES (?)")) {
      statement.setLong(1, number);
      statement.executeUpdate();
    }
  }

  private static void raw(DataSource source, long number) throws SQLException {
    String key = "default/payment:order-" + number;
    UUID token = UUID.randomUUID();
    try (Connection connection = source.getConnection()) {
      connection.setAutoCommit(false);
      try (PreparedStatement statement = connection.prepareStatement(LOCK_AND_LOOK)) {
        statement.setString(1, key);
        statement.setString(2, token.toString());
        statement.setString(3, key);
        statement.execute();
        try (ResultSet rs = statement.getResultSet()) {
          rs.next();
        }
        statement.getMoreResults();
        try (ResultSet rs = statement.getResultSet()) {
          rs.next();
        }
      }
      effect(connection, number);
      record(connection, key, token);
      connection.commit();
    }
  }

  private static void record(Connection connection, String key, UUID token) throws SQLException {
    try (PreparedStatement statement =
        connection.prepareStatement(
            "INSERT INTO bare VALUES (?, 'C', ?, 1, ?, '', now(), now(),"
                + " now() + interval '1 day', now(), 'text/plain', ?)")) {
      statement.setString(1, key);
      statement.setObject(2, token);
      statement.setString(3, Fingerprint.of("10 EUR").text());
      statement.setBytes(4, new byte[7]);
      statement.executeUpdate();
    }
  }
}
