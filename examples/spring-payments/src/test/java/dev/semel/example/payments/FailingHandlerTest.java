package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests a charge that the ledger can't book: health, meter and dead letter show it, and other
 * messages go on.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
final class FailingHandlerTest {
  private static final long TOO_MUCH = 100_000_001;

  @TempDir Path folder;

  @Test
  void aChargeThatCannotBeBookedIsSeenInHealthMeterAndDeadLetterAndHoldsUpNothing(
      PostgresService postgres) throws Exception {
    TestDatabase database = postgres.freshDatabase();
    Books books = new Books(database);
    try (Broker broker = Broker.start(folder);
        TestProcessor mails = TestProcessor.start();
        RunningApplication app =
            RunningApplication.start(
                folder,
                database,
                broker,
                mails.mailProperty(),
                "semel.consumer.max-attempts=4",
                "semel.consumer.first-pause=10ms")) {
      assertThat(app.get("/actuator/health").body()).contains("\"status\":\"UP\"");
      assertThat(app.pay("alice", "k-1", "castle", TOO_MUCH).statusCode()).isEqualTo(201);
      await().untilAsserted(() -> assertSeen(app));
      assertThat(broker.messages("semel-dead-letters"))
          .contains(
              "\"semel-dead-consumer\":\"ledger\"",
              "\"semel-dead-attempts\":\"4\"",
              "\"semel-dead-origin\":\"charges\"",
              "\"semel-dead-reason\":\"java.lang.IllegalStateException: ");
      assertThat(app.output())
          .as("the lines that README shows")
          .containsPattern(
              "WARN .* dev.semel.inbox +: consumer ledger: the handler failed on message \\S+ of charges, attempt 1 of 4, and will be called again")
          .contains(
              "java.lang.IllegalStateException: more than the ledger takes (payments.ledger-limit)\n\tat ")
          .containsPattern(
              "WARN .* dev.semel.inbox +: consumer ledger: message \\S+ of charges is a dead letter after attempt 4: java.lang.IllegalStateException: more than the ledger takes \\(payments.ledger-limit\\); what to do: docs/runbooks/dead-letters.md");
      assertThat(app.get("/actuator/health/readiness").statusCode()).isEqualTo(200);
      assertThat(books.charges("castle")).isEqualTo(1);
      assertThat(books.entries("castle")).isZero();

      app.pay("alice", "k-2", "book", 1200);
      await()
          .untilAsserted(
              () -> {
                assertThat(books.entries("book")).isEqualTo(1);
                assertThat(mails.keys()).as("castle, book").hasSize(2);
              });
      assertSeen(app); // the dead letter is still there, although everything else works
    }
  }

  private static void assertSeen(RunningApplication app) {
    HttpResponse<String> health = app.get("/actuator/health");
    assertThat(health.body())
        .contains("\"status\":\"DEGRADED\"", "\"dead-letters\":\"ledger gave up 1, ");
    assertThat(health.statusCode()).isEqualTo(200);
    assertThat(app.get("/actuator/metrics/semel.inbox.dead?tag=consumer:ledger").body())
        .contains("\"value\":1.0");
    assertThat(app.get("/actuator/metrics/semel.inbox.failed?tag=consumer:ledger").body())
        .contains("\"value\":4.0");
    assertThat(app.get("/actuator/semel").body())
        .containsPattern("\"ledger\":\\{[^}]*\"failed\":4,\"dead\":1,");
  }
}
