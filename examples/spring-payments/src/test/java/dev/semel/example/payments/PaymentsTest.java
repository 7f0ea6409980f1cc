package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests payments within the application's database. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PaymentsTest {
  /** An address where nothing listens. */
  private static final String NO_MAIL_SERVICE = "payments.mail-service=http://127.0.0.1:9/mails";

  @TempDir static Path folder;

  private static Books books;
  private static Broker broker;
  private static RunningApplication app;

  @BeforeAll
  static void start(PostgresService postgres) {
    TestDatabase database = postgres.freshDatabase();
    books = new Books(database);
    broker = Broker.start(folder);
    app = RunningApplication.start(folder, database, broker, NO_MAIL_SERVICE);
  }

  @AfterAll
  static void stop() {
    app.close();
    broker.close();
  }

  @Test
  void aPaymentIsChargedAndBookedOnceAndItsRetryGetsTheFirstAnswer() {
    HttpResponse<String> first = app.pay("alice", "k-once", "book", 1200);
    HttpResponse<String> retry = app.pay("alice", "k-once", "book", 1200);
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body()).contains("\"customer\":\"alice\"", "\"amount\":1200");
    assertThat(first.headers().firstValue(HttpHeader.REPLAYED)).isEmpty();
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.headers().firstValue(HttpHeader.REPLAYED)).hasValue("true");
    assertThat(books.charges("book")).isEqualTo(1);
    await().untilAsserted(() -> assertThat(books.entries("book")).isEqualTo(1));
  }

  @Test
  void aReceiptThatCouldNotBeSentIsTriedAgainAndHoldsUpNoBooking() {
    assertThat(app.pay("alice", "k-mail", "vase", 1200).statusCode()).isEqualTo(201);
    await()
        .untilAsserted(
            () ->
                assertThat(app.get("/actuator/semel").body())
                    .containsPattern(
                        "\"receipts\":\\{[^}]*\"done\":0,[^}]*\"failed\":([2-9]|\\d\\d)"));
    assertThat(books.entries("vase")).isEqualTo(1);
  }

  @Test
  void theSameKeyWithAnotherBodyIsRefused() {
    assertThat(app.pay("alice", "k-body", "lamp", 1200).statusCode()).isEqualTo(201);
    HttpResponse<String> other = app.pay("alice", "k-body", "lamp", 9900);
    assertThat(other.statusCode()).isEqualTo(422);
    assertThat(other.body()).contains(HttpRefusal.MISMATCH.type());
    assertThat(books.charges("lamp")).isEqualTo(1);
  }

  @Test
  void theSameKeyOfAnotherCustomerIsAnotherPayment() {
    HttpResponse<String> alice = app.pay("alice", "k-both", "chair", 1200);
    HttpResponse<String> bob = app.pay("bob", "k-both", "chair", 1200);
    assertThat(alice.body()).contains("\"customer\":\"alice\"");
    assertThat(bob.statusCode()).isEqualTo(201);
    assertThat(bob.body()).contains("\"customer\":\"bob\"");
    assertThat(bob.headers().firstValue(HttpHeader.REPLAYED)).isEmpty();
    assertThat(books.charges("chair")).isEqualTo(2);
    assertThat(app.pay("bob", "k-both", "chair", 1200).body()).isEqualTo(bob.body());
    assertThat(books.charges("chair")).isEqualTo(2);
  }

  @Test
  void whatCannotBeAPaymentChargesNothing() {
    assertThat(app.pay("mallory", "k-1", "table", 1200).statusCode()).isEqualTo(401);
    assertThat(app.pay("alice", "k-zero", "table", 0).statusCode()).isEqualTo(400);
    HttpResponse<String> keyless =
        app.send(
            app.request("alice", "/payments")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofString("{\"order\":\"table\",\"amount\":1200}"))
                .build());
    assertThat(keyless.statusCode()).isEqualTo(400);
    assertThat(keyless.body()).contains(HttpRefusal.KEY_MISSING.type());
    assertThat(books.charges("table")).isZero();
  }
}
