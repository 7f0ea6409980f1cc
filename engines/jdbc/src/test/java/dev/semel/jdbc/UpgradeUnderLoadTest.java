package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.store.MariaDbDialect;
import dev.semel.jdbc.internal.store.PostgresDialect;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.store.SqlDialect;
import dev.semel.jdbc.internal.store.SqlSchema;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Several programs start at once and upgrade tables of each earlier version, while an older program
 * goes on: no call fails, every key is granted once, and existing records stay.
 */
@ExtendWith(SharedServices.class)
final class UpgradeUnderLoadTest {
  private static final int OLD_PROGRAMS = 2;
  private static final int STARTERS = 4;

  /**
   * How many claims each program makes at least: old programs before the upgrade, new ones after.
   */
  private static final int CLAIMS = 30;

  /** How often each key is asked for. */
  private static final int CALLS = 3;

  private final AtomicInteger calls = new AtomicInteger();
  private final Map<Key, Integer> granted = new ConcurrentHashMap<>();
  private final AtomicBoolean over = new AtomicBoolean();

  @Test
  @Tag("service")
  void onPostgres(PostgresService postgres) throws SQLException {
    for (int version = 1; version < SqlSchema.POSTGRESQL.newest(); version++) {
      var database = postgres.freshDatabase();
      onServer(new PostgresDialect(), version, database.jdbcUrl());
    }
  }

  @Test
  @Tag("service")
  void onMariaDb(MariaDbService mariadb) throws SQLException {
    for (int version = 1; version < SqlSchema.MARIADB.newest(); version++) {
      onServer(new MariaDbDialect(), version, mariadb.freshDatabase().jdbcUrl());
    }
  }

  /** This program can't simulate a file's older programs, so only new ones start. */
  @Test
  void onSqlite(@TempDir Path folder) throws SQLException {
    for (int version = 1; version < SqlSchema.SQLITE.newest(); version++) {
      Path file = folder.resolve("v" + version + ".db");
      String url = "jdbc:sqlite:" + file;
      try (Connection connection = DriverManager.getConnection(url)) {
        Tables.create(Tables.before(SqlSchema.SQLITE, version), connection);
      }
      Together.race(STARTERS, () -> use(() -> SqliteStore.open(file, InstantSource.system())));
      check(url, SqlSchema.SQLITE);
    }
  }

  private void onServer(SqlDialect sql, int version, String url) throws SQLException {
    SqlSchema before = Tables.before(sql.schema(), version);
    try (Connection connection = DriverManager.getConnection(url)) {
      Tables.create(before, connection);
    }
    over.set(false);
    try (HikariDataSource oldPool = ServerUnderTest.pool(url, OLD_PROGRAMS);
        HikariDataSource newPool = ServerUnderTest.pool(url, STARTERS)) {
      SqlDialect older = withSchema(sql, before);
      Store old = ServerStore.open(oldPool, older, SchemaSetup.CHECK);
      Key first = Claims.freshKey();
      Token token = Token.draw();
      assertThat(old.idempotency().claim(Claims.of(first, token)))
          .isInstanceOf(ClaimResult.Granted.class);
      List<Together.Beside<Integer>> running = new ArrayList<>();
      for (int i = 0; i < OLD_PROGRAMS; i++) {
        running.add(Together.beside(() -> claims(old.idempotency(), over::get)));
      }
      Together.until(() -> calls.get() > OLD_PROGRAMS * CLAIMS);

      Together.race(STARTERS, () -> use(() -> ServerStore.open(newPool, sql, SchemaSetup.CREATE)));

      over.set(true);
      running.forEach(Together.Beside::result);
      assertThat(old.idempotency().complete(first, token, Claims.done(), Claims.RETENTION))
          .as("what was in flight before is ended after, by the program that began it")
          .isTrue();
      try (Store now = ServerStore.open(newPool, sql, SchemaSetup.CHECK)) {
        assertThat(now.idempotency().find(first).orElseThrow().state())
            .isEqualTo(RecordState.COMPLETED);
      }
      check(url, sql.schema());
    }
  }

  private int use(Supplier<Store> opening) {
    try (Store store = opening.get()) {
      assertThat(store.settings().readAll()).isEmpty();
      return claims(store.idempotency(), () -> true);
    }
  }

  /** Claims until {@code over}, but at least some times. */
  private int claims(IdempotencyStore store, BooleanSupplier over) {
    int made = 0;
    for (; made < CLAIMS || !over.getAsBoolean(); made++) {
      Key key = Key.of("payments", "p" + calls.getAndIncrement() / CALLS);
      Token token = Token.draw();
      if (store.claim(Claims.of(key, token)) instanceof ClaimResult.Granted) {
        granted.merge(key, 1, Integer::sum);
        assertThat(store.complete(key, token, Claims.done(), Claims.RETENTION)).isTrue();
      }
    }
    return made;
  }

  private void check(String url, SqlSchema schema) throws SQLException {
    assertThat(granted).isNotEmpty();
    assertThat(granted.values()).allMatch(times -> times == 1);
    try (Connection connection = DriverManager.getConnection(url);
        Statement statement = connection.createStatement()) {
      try (ResultSet rs =
          statement.executeQuery("SELECT max(version), min(version) FROM semel_schema")) {
        rs.next();
        assertThat(rs.getInt(1)).isEqualTo(schema.newest());
        assertThat(rs.getInt(2)).isEqualTo(schema.oldest());
      }
      try (ResultSet rs =
          statement.executeQuery("SELECT count(*) FROM semel_idempotency WHERE state = 'C'")) {
        rs.next();
        assertThat(rs.getInt(1)).isGreaterThanOrEqualTo(granted.size());
      }
    }
    granted.clear();
    calls.set(0);
  }

  /**
   * The dialect of a program that knows only those tables; claims have not changed since the first
   * version.
   */
  static SqlDialect withSchema(SqlDialect sql, SqlSchema schema) {
    return (SqlDialect)
        Proxy.newProxyInstance(
            SqlDialect.class.getClassLoader(),
            new Class<?>[] {SqlDialect.class},
            (proxy, method, arguments) -> {
              if (method.getName().equals("schema")) {
                return schema;
              }
              try {
                return method.invoke(sql, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }
}
