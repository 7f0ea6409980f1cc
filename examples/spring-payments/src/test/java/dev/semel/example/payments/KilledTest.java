package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Kills the application between the charge and its record, and starts it again. */
@Tag("proof")
@ExtendWith(SharedServices.class)
final class KilledTest {
  @TempDir Path folder;

  private TestDatabase database;
  private Broker broker;
  private Books books;

  @BeforeEach
  void create(PostgresService postgres, TestReporter report) {
    report.publishEntry("kills", "1");
    database = postgres.freshDatabase();
    books = new Books(database);
    broker = Broker.start(folder);
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  @Test
  void aPaymentInOurDatabaseHappensExactlyOnce() throws Exception {
    try (RunningApplication first = RunningApplication.start(folder, database, broker);
        HeldTable records = HeldTable.hold(database, "semel_idempotency")) {
      CompletableFuture<HttpResponse<String>> lost = first.payLater("alice", "k-1", "book");
      records.awaitWriterThatWroteTo("charge");
      first.kill();
      assertThat(lost).failsWithin(RunningApplication.PATIENCE);
      assertThat(books.charges("book")).as("charged without a record").isZero();
    }
    try (RunningApplication again = RunningApplication.start(folder, database, broker)) {
      HttpResponse<String> retry = onceNotInFlight(() -> again.pay("alice", "k-1", "book", 1200));
      assertThat(retry.statusCode()).as(retry.body()).isEqualTo(201);
      assertThat(again.pay("alice", "k-1", "book", 1200).body()).isEqualTo(retry.body());
      assertThat(books.charges("book")).isEqualTo(1);
      // Messages in flight wait until the killed application's leases have ended.
      await().untilAsserted(() -> assertThat(books.entries("book")).isEqualTo(1));
    }
  }

  @Test
  void aPaymentElsewhereIsInDoubtAndNotRepeated() throws Exception {
    String lease = "semel.policy.lease=2s";
    try (TestProcessor processor = TestProcessor.start()) {
      try (RunningApplication first =
          RunningApplication.start(folder, database, broker, processor.property(), lease)) {
        CompletableFuture<HttpResponse<String>> lost = first.payByCardLater("k-1", "held");
        processor.awaitCall();
        HttpResponse<String> meanwhile = first.payByCard("k-1", "held");
        assertThat(meanwhile.statusCode()).isEqualTo(409);
        assertThat(meanwhile.body()).contains(HttpRefusal.IN_FLIGHT.type());
        first.kill();
        assertThat(lost).failsWithin(RunningApplication.PATIENCE);
      }
      try (RunningApplication again =
          RunningApplication.start(folder, database, broker, processor.property(), lease)) {
        HttpResponse<String> retry = onceNotInFlight(() -> again.payByCard("k-1", "held"));
        assertThat(retry.statusCode()).isEqualTo(409);
        assertThat(retry.body()).contains(HttpRefusal.IN_DOUBT.type());
        assertThat(retry.headers().firstValue("Retry-After")).isEmpty();
        assertThat(retry.headers().firstValue(HttpHeader.REPLAYED)).isEmpty();
      }
      assertThat(processor.keys()).as("calls of the processor").hasSize(1);
    }
  }

  /** The retry's answer once the key is no longer in flight. */
  private static HttpResponse<String> onceNotInFlight(Callable<HttpResponse<String>> retry) {
    return await().until(retry, answer -> !answer.body().contains(HttpRefusal.IN_FLIGHT.type()));
  }
}
