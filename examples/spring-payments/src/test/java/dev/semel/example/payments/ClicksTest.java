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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Sends two hundred requests with one key while the first is held at its charge, with a pool of
 * five.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
final class ClicksTest {
  private static final int CLICKS = 200;
  private static final String[] SMALL_POOL = {
    "spring.datasource.hikari.maximum-pool-size=5",
    // A request that finds the pool empty must get its 500 before the test's own time-out.
    "spring.datasource.hikari.connection-timeout=20000"
  };
  private static final Pattern ACTIVE = Pattern.compile("\"ACTIVE_TASKS\",\"value\":(\\d+)");

  @TempDir Path folder;

  private TestDatabase database;
  private Broker broker;
  private Books books;

  @BeforeEach
  void create(PostgresService postgres) {
    database = postgres.freshDatabase();
    books = new Books(database);
    broker = Broker.start(folder);
  }

  @AfterEach
  void stop() {
    broker.close();
  }

  private static List<CompletableFuture<HttpResponse<String>>> click(RunningApplication app) {
    List<CompletableFuture<HttpResponse<String>>> clicks = new ArrayList<>();
    for (int i = 0; i < CLICKS; i++) {
      clicks.add(app.payLater("alice", "k-1", "book"));
    }
    return clicks;
  }

  private static List<HttpResponse<String>> answers(
      List<CompletableFuture<HttpResponse<String>>> clicks) throws Exception {
    List<HttpResponse<String>> answers = new ArrayList<>();
    for (CompletableFuture<HttpResponse<String>> each : clicks) {
      answers.add(each.get(RunningApplication.PATIENCE.toSeconds(), TimeUnit.SECONDS));
    }
    return answers;
  }

  private static void assertOthersAreServed(RunningApplication app) {
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> list = app.get("/payments");
      assertThat(list.statusCode()).as(list.body()).isEqualTo(200);
      assertThat(list.body()).as("not committed yet").isEqualTo("[]");
    }
  }

  @Test
  void oneIsChargedAndTheOthersAreToldToComeAgain() throws Exception {
    try (RunningApplication app = RunningApplication.start(folder, database, broker, SMALL_POOL)) {
      List<CompletableFuture<HttpResponse<String>>> clicks;
      try (HeldTable charge = HeldTable.hold(database, "charge")) {
        clicks = click(app);
        charge.awaitWriter();
        assertOthersAreServed(app);
        await()
            .until(() -> clicks.stream().filter(CompletableFuture::isDone).count() == CLICKS - 1);
      }
      List<HttpResponse<String>> answers = answers(clicks);
      assertThat(answers).filteredOn(answer -> answer.statusCode() == 201).hasSize(1);
      assertThat(answers)
          .filteredOn(answer -> answer.statusCode() != 201)
          .allSatisfy(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains(HttpRefusal.IN_FLIGHT.type());
                assertThat(answer.headers().firstValue("Retry-After")).isPresent();
              });
      assertChargedOnce(app, answers);
    }
  }

  @Test
  void whereTheyWaitAllGetTheAnswerOfTheOneThatIsCharged() throws Exception {
    List<String> properties = new ArrayList<>(List.of(SMALL_POOL));
    properties.add("semel.http.wait-up-to=60s");
    try (RunningApplication app =
        RunningApplication.start(folder, database, broker, properties.toArray(String[]::new))) {
      List<CompletableFuture<HttpResponse<String>>> clicks;
      try (HeldTable charge = HeldTable.hold(database, "charge")) {
        clicks = click(app);
        charge.awaitWriter();
        await()
            .pollInterval(Duration.ofMillis(200))
            .until(() -> activeRequests(app) > CLICKS); // and the one that asks
        assertOthersAreServed(app);
        assertThat(clicks).noneMatch(CompletableFuture::isDone);
      }
      List<HttpResponse<String>> answers = answers(clicks);
      assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(201);
      assertThat(answers)
          .filteredOn(answer -> answer.headers().firstValue(HttpHeader.REPLAYED).isEmpty())
          .hasSize(1);
      assertChargedOnce(app, answers);
    }
  }

  private static long activeRequests(RunningApplication app) {
    String meter = app.get("/actuator/metrics/http.server.requests.active").body();
    Matcher active = ACTIVE.matcher(meter);
    assertThat(active.find()).as(meter).isTrue();
    return Long.parseLong(active.group(1));
  }

  private void assertChargedOnce(RunningApplication app, List<HttpResponse<String>> answers) {
    HttpResponse<String> later = app.pay("alice", "k-1", "book", 1200);
    assertThat(later.statusCode()).isEqualTo(201);
    assertThat(answers)
        .filteredOn(answer -> answer.statusCode() == 201)
        .extracting(HttpResponse::body)
        .containsOnly(later.body());
    assertThat(books.charges("book")).isEqualTo(1);
    await().untilAsserted(() -> assertThat(books.entries("book")).isEqualTo(1));
  }
}
