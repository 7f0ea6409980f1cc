package dev.semel.jdbc;

import dev.semel.jdbc.internal.store.SqlSchema;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;

/** Tables of older and newer versions. */
final class Tables {
  private Tables() {}

  /** The schema of that older version. */
  static SqlSchema before(SqlSchema schema, int version) {
    return new SqlSchema(schema.exists(), schema.steps().subList(0, version), version);
  }

  /**
   * The schema with one more step.
   *
   * @param oldest the oldest version that may use it
   */
  static SqlSchema after(SqlSchema schema, List<String> step, int oldest) {
    List<List<String>> steps = new ArrayList<>(schema.steps());
    steps.add(step);
    return new SqlSchema(schema.exists(), steps, oldest);
  }

  static void create(SqlSchema schema, Connection connection) throws SQLException {
    try (Statement statement = connection.createStatement()) {
      for (String sql : schema.ddl().split(";\n", -1)) {
        if (!sql.isBlank()) {
          statement.execute(sql);
        }
      }
    }
  }
}
