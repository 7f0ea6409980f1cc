package dev.semel.jdbc.internal.jobs;

import dev.semel.jdbc.JdbcJobsContract;
import dev.semel.jdbc.JobsFixture;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbJobsTest extends JdbcJobsContract {
  private static JobsFixture jobs;

  @BeforeAll
  static void open(MariaDbService mariadb) {
    jobs = JobsFixture.on(mariadb.freshDatabase());
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
