package dev.semel.jdbc.internal.transaction;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Which statements end a transaction, judged by how they begin. */
final class WorkConnectionTest {
  @ParameterizedTest
  @ValueSource(
      strings = {
        "COMMIT",
        " commit work;",
        "-- now\n  Commit and chain",
        "/* a */ -- b\n/* c\n */ END",
        "; ROLLBACK",
        "ROLLBACK WORK",
        "ABORT",
        "BEGIN",
        "START  TRANSACTION READ ONLY",
        "PREPARE TRANSACTION 'a'",
        "SET autocommit = 1",
        "set @@session.autocommit=1",
      })
  void ends(String sql) {
    assertThat(WorkConnection.endsTransaction(sql)).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "SELECT 1",
        "SELECT 'COMMIT'",
        "-- COMMIT",
        "/* COMMIT */",
        "/* open COMMIT",
        "INSERT INTO commit VALUES (1)",
        "committed",
        "ROLLBACK TO here",
        "ROLLBACK TRANSACTION TO SAVEPOINT here",
        "rollback work to here",
        "RELEASE SAVEPOINT here",
        "BEGIN NOT ATOMIC SELECT 1; END",
        "SET LOCAL lock_timeout = 100",
        "SET TRANSACTION READ ONLY",
        "PREPARE p AS SELECT 1",
      })
  void doesNotEnd(String sql) {
    assertThat(WorkConnection.endsTransaction(sql)).isFalse();
  }
}
