package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Tests the way from the charge to the ledger and to the mail, through a broker that outlives the
 * application.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
final class MessagesTest {
  private static final String LEASE = "semel.policy.lease=2s";

  @TempDir Path folder;

  private TestDatabase database;
  private Books books;
  private Broker broker;
  private TestProcessor mails;

  @BeforeEach
  void create(PostgresService postgres) throws Exception {
    database = postgres.freshDatabase();
    books = new Books(database);
    broker = Broker.start(folder);
    mails = TestProcessor.start();
  }

  @AfterEach
  void stop() {
    mails.close();
    broker.close();
  }

  private RunningApplication application() {
    return RunningApplication.start(folder, database, broker, mails.mailProperty(), LEASE);
  }

  @Test
  void aPaymentIsBookedAndMailedOnceAndAMailWithoutAnAnswerIsInDoubt() {
    try (RunningApplication app = application()) {
      app.pay("alice", "k-1", "book", 1200);
      app.pay("alice", "k-1", "book", 1200);
      app.pay("alice", "k-2", "hung up on", 1200);
      await()
          .untilAsserted(
              () -> {
                assertThat(books.entries("book")).isEqualTo(1);
                assertThat(books.entries("hung up on")).isEqualTo(1);
                assertThat(app.get("/actuator/semel").body())
                    .containsPattern("\"receipts\":\\{[^}]*\"done\":1,");
                assertInDoubt(app);
              });
      assertThat(mails.keys()).hasSize(2).doesNotHaveDuplicates();
    }
  }

  @Test
  @Tag("proof")
  void afterAKillTheNextProcessBooksAndDoesNotMailAgain(TestReporter report) throws Exception {
    report.publishEntry("kills", "1");
    try (RunningApplication first = application();
        HeldTable ledger = HeldTable.hold(database, "ledger")) {
      first.pay("alice", "k-1", "held", 1200);
      ledger.awaitWriter(); // the broker has delivered the message, but its effect waits
      mails.awaitCall();
      first.kill();
    }
    assertThat(books.entries("held")).isZero();
    try (RunningApplication again = application()) {
      again.pay("alice", "k-2", "lamp", 4500);
      await()
          .untilAsserted(
              () -> {
                assertThat(books.entries("held")).isEqualTo(1);
                assertInDoubt(again);
                assertThat(mails.keys()).as("held, lamp").hasSize(2).doesNotHaveDuplicates();
              });
    }
  }

  /** Checks that a receipt is in doubt, and its message a dead letter. */
  private static void assertInDoubt(RunningApplication app) {
    assertThat(app.get("/actuator/semel").body())
        .containsPattern("\"receipt\":\\{[^}]*\"in_doubt\":1[,}]")
        .containsPattern("\"receipts\":\\{[^}]*\"dead\":1,");
  }
}
