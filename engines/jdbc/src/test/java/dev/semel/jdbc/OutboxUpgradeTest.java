package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.InstantSource;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables from before the outbox existed. */
@ExtendWith(SharedServices.class)
final class OutboxUpgradeTest {
  private static final int BEFORE_THE_OUTBOX = 2;

  private static void isUpgraded(
      SqlSchema schema, String url, Function<SchemaSetup, JdbcOutbox> opening) throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Tables.create(Tables.before(schema, BEFORE_THE_OUTBOX), connection);
    }
    assertThatThrownBy(() -> opening.apply(SchemaSetup.CHECK).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("semel tables of version 2")
        .hasMessageContaining("SchemaSetup.CREATE");
    for (SchemaSetup setup : new SchemaSetup[] {SchemaSetup.CREATE, SchemaSetup.CHECK}) {
      try (JdbcOutbox outbox = opening.apply(setup)) {
        outbox.executeWithOutbox(connection -> true, Message.of("orders", "x"));
      }
    }
    try (JdbcOutbox outbox = opening.apply(SchemaSetup.CHECK)) {
      assertThat(outbox.operations().status().pending()).isEqualTo(2);
    }
  }

  @Test
  void onSqlite(@TempDir Path folder) throws SQLException {
    Path file = folder.resolve("semel.db");
    isUpgraded(
        SqlSchema.SQLITE,
        "jdbc:sqlite:" + file,
        setup ->
            JdbcOutbox.on(
                SqliteStore.open(file, InstantSource.system(), setup), OutboxSettings.defaults()));
  }

  @Test
  @Tag("service")
  void onPostgres(PostgresService postgres) throws SQLException {
    var database = postgres.freshDatabase();
    isUpgraded(
        SqlSchema.POSTGRESQL,
        database.jdbcUrl(),
        setup ->
            JdbcOutbox.on(
                PostgresStore.open(database.dataSource(), setup), OutboxSettings.defaults()));
  }

  @Test
  @Tag("service")
  void onMariaDb(MariaDbService mariadb) throws SQLException {
    var database = mariadb.freshDatabase();
    isUpgraded(
        SqlSchema.MARIADB,
        database.jdbcUrl(),
        setup ->
            JdbcOutbox.on(
                MariaDbStore.open(database.dataSource(), setup), OutboxSettings.defaults()));
  }
}
