package dev.semel.jdbc;

import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.io.TempDir;

final class SqliteJobsTest extends JdbcJobsContract {
  @TempDir static Path folder;
  private static JobsFixture jobs;

  @BeforeAll
  static void open() {
    jobs = JobsFixture.on(folder);
  }

  @AfterAll
  static void close() {
    jobs.close();
  }

  @Override
  protected JobsFixture fixture() {
    return jobs;
  }
}
