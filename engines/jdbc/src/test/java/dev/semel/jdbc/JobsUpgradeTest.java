package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.StoreException;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.job.Job;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tables from before jobs existed. */
@ExtendWith(SharedServices.class)
final class JobsUpgradeTest {
  private static void isUpgraded(
      SqlSchema schema, int before, String url, Function<SchemaSetup, JdbcJobs> opening)
      throws SQLException {
    try (Connection connection = DriverManager.getConnection(url)) {
      Tables.create(Tables.before(schema, before), connection);
    }
    assertThatThrownBy(() -> opening.apply(SchemaSetup.CHECK).close())
        .isInstanceOf(StoreException.class)
        .hasMessageContaining("semel tables of version " + before)
        .hasMessageContaining("SchemaSetup.CREATE");
    int number = 0;
    for (SchemaSetup setup : new SchemaSetup[] {SchemaSetup.CREATE, SchemaSetup.CHECK}) {
      try (JdbcJobs jobs = opening.apply(setup)) {
        jobs.enqueue(Job.of(Key.of("mail", "m" + number++), "x"));
      }
    }
    try (JdbcJobs jobs = opening.apply(SchemaSetup.CHECK)) {
      assertThat(jobs.reserve(new Operation("mail"), 10, Duration.ofMinutes(1))).hasSize(2);
    }
  }

  @Test
  void onSqlite(@TempDir Path folder) throws SQLException {
    Path file = folder.resolve("semel.db");
    isUpgraded(
        SqlSchema.SQLITE,
        5,
        "jdbc:sqlite:" + file,
        setup -> JdbcJobs.on(SqliteStore.open(file, InstantSource.system(), setup)));
  }

  @Test
  @Tag("service")
  void onPostgres(PostgresService postgres) throws SQLException {
    var database = postgres.freshDatabase();
    isUpgraded(
        SqlSchema.POSTGRESQL,
        6,
        database.jdbcUrl(),
        setup -> JdbcJobs.on(PostgresStore.open(database.dataSource(), setup)));
  }

  @Test
  @Tag("service")
  void onMariaDb(MariaDbService mariadb) throws SQLException {
    var database = mariadb.freshDatabase();
    isUpgraded(
        SqlSchema.MARIADB,
        5,
        database.jdbcUrl(),
        setup -> JdbcJobs.on(MariaDbStore.open(database.dataSource(), setup)));
  }
}
