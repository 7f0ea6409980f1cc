package dev.semel.nats;

import dev.semel.tck.jobs.JobOperationsContract;
import dev.semel.tck.jobs.JobsUnderTest;
import dev.semel.testservices.NatsService;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;

@Tag("service")
final class JetStreamJobsContractTest extends JobOperationsContract {
  @SuppressWarnings("NullAway.Init")
  private static NatsService nats;

  @SuppressWarnings("NullAway.Init")
  private static JetStreamJobsUnderTest underTest;

  @BeforeAll
  static void start() {
    nats = JetStreamJobsUnderTest.start();
    underTest = new JetStreamJobsUnderTest(nats);
  }

  @AfterAll
  static void stop() {
    underTest.close();
    nats.close();
  }

  @Override
  protected JobsUnderTest underTest() {
    return underTest;
  }
}
