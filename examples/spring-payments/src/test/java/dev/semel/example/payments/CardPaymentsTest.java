package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Tests payments whose effect is at an outside service. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class CardPaymentsTest {
  private static final int CLICKS = 200;

  @TempDir Path folder;

  private Broker broker;
  private TestProcessor processor;
  private RunningApplication app;

  @BeforeEach
  void start(PostgresService postgres) throws Exception {
    broker = Broker.start(folder);
    processor = TestProcessor.start();
    app = RunningApplication.start(folder, postgres.freshDatabase(), broker, processor.property());
  }

  @AfterEach
  void stop() {
    app.close();
    processor.close();
    broker.close();
  }

  @Test
  void ofTwoHundredClicksOneCallsTheProcessor() throws Exception {
    List<CompletableFuture<HttpResponse<String>>> clicks = new ArrayList<>();
    for (int i = 0; i < CLICKS; i++) {
      clicks.add(app.payByCardLater("k-1", "held"));
    }
    await().until(() -> clicks.stream().filter(CompletableFuture::isDone).count() == CLICKS - 1);
    processor.answerTheHeld();
    List<HttpResponse<String>> charged = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : clicks) {
      HttpResponse<String> answer =
          each.get(RunningApplication.PATIENCE.toSeconds(), TimeUnit.SECONDS);
      if (answer.statusCode() == 201) {
        charged.add(answer);
      } else {
        assertThat(answer.statusCode()).isEqualTo(409);
        assertThat(answer.body()).contains(HttpRefusal.IN_FLIGHT.type());
      }
    }
    assertThat(charged).hasSize(1);
    assertThat(app.payByCard("k-1", "held").body()).isEqualTo(charged.getFirst().body());
    assertThat(processor.keys()).hasSize(1);
  }

  @Test
  void theProcessorIsCalledOnceForEachCustomersKey() {
    HttpResponse<String> first = app.payByCard("k-1", "lamp");
    HttpResponse<String> retry = app.payByCard("k-1", "lamp");
    assertThat(first.statusCode()).isEqualTo(201);
    assertThat(first.body()).contains("\"reference\":\"reference-1\"");
    assertThat(retry.statusCode()).isEqualTo(201);
    assertThat(retry.body()).isEqualTo(first.body());
    assertThat(retry.headers().firstValue(HttpHeader.REPLAYED)).hasValue("true");
    assertThat(app.payByCard("alice", "k-1", "lamp", 9900).statusCode()).isEqualTo(422);
    assertThat(processor.keys()).hasSize(1);

    HttpResponse<String> bob = app.payByCard("bob", "k-1", "lamp", 4500);
    assertThat(bob.statusCode()).isEqualTo(201);
    assertThat(bob.body()).contains("\"reference\":\"reference-2\"");
    assertThat(processor.keys()).hasSize(2).doesNotHaveDuplicates();
  }

  @Test
  void whatTheProcessorDidDecidesWhatARetryIsTold() {
    for (int i = 0; i < 2; i++) {
      assertThat(app.payByCard("k-1", "declined").statusCode()).isEqualTo(402);
    }
    assertThat(processor.keys()).as("a declined card is not tried again").hasSize(1);

    assertThat(app.payByCard("k-2", "hung up on").statusCode()).isEqualTo(500);
    HttpResponse<String> inDoubt = app.payByCard("k-2", "hung up on");
    assertThat(inDoubt.statusCode()).isEqualTo(409);
    assertThat(inDoubt.body()).contains(HttpRefusal.IN_DOUBT.type());
    assertThat(processor.keys()).as("nor is what nobody knows").hasSize(2);

    processor.close();
    for (int i = 0; i < 2; i++) {
      HttpResponse<String> notSent = app.payByCard("k-3", "lamp");
      assertThat(notSent.statusCode()).isEqualTo(503);
      assertThat(notSent.headers().firstValue(HttpHeader.REPLAYED)).as("tried again").isEmpty();
    }
  }
}
