package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.event.SemelListener;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpIdempotency;
import dev.semel.http.HttpRefusal;
import dev.semel.http.HttpRules;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Maintenance;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.TransactionalIdempotency;
import dev.semel.junit.Patience;
import dev.semel.tck.Racers;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import jakarta.servlet.ServletException;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Same-transaction mode behind the filter, with a pool of five connections. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresShopTest {
  private static final int CLICKS = 200;
  private static final int POOL = 5;

  private static final Duration PATIENCE = Patience.LIMIT;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final CountDownLatch gate = new CountDownLatch(1);
  private final CountDownLatch charging = new CountDownLatch(1);
  private HikariDataSource pool;
  private Maintenance maintenance;
  private PostgresStore store;

  @BeforeEach
  void open(PostgresService service) throws SQLException {
    pool = new HikariDataSource();
    pool.setJdbcUrl(service.freshDatabase().jdbcUrl());
    pool.setMaximumPoolSize(POOL);
    pool.setConnectionTimeout(PATIENCE.toMillis());
    store = PostgresStore.open(pool);
    maintenance = Maintenance.start(store, SemelListener.NONE);
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("CREATE TABLE charge (what text NOT NULL)");
    }
  }

  @AfterEach
  void close() {
    maintenance.close();
    pool.close();
  }

  private Jetty start(ExecutionPolicy policy) {
    return new Jetty()
        .filter(
            new IdempotencyFilter(
                new HttpIdempotency(
                    TransactionalIdempotency.on(store, maintenance).asOnce(),
                    HttpRules.of("charge").withPolicy(policy))))
        .servlet("/charge", Shop.servlet((request, response) -> charge(request, response)))
        .servlet(
            "/count", Shop.servlet((request, response) -> response.getWriter().print(charges())))
        .start();
  }

  private void charge(
      jakarta.servlet.http.HttpServletRequest request,
      jakarta.servlet.http.HttpServletResponse response)
      throws IOException, ServletException {
    Connection connection =
        TransactionalIdempotency.connection(IdempotencyFilter.execution(request).orElseThrow());
    try (Statement statement = connection.createStatement()) {
      statement.executeUpdate("INSERT INTO charge VALUES ('one')");
      charging.countDown();
      if (request.getHeader("X-Gate") != null) {
        assertThat(gate.await(20, TimeUnit.SECONDS)).isTrue();
      }
    } catch (SQLException | InterruptedException e) {
      throw new ServletException(e);
    }
    if (request.getHeader("X-Async") != null) {
      request.startAsync().complete();
    }
    if (request.getHeader("X-Conflict") != null) {
      response.setHeader("ETag", "\"never seen\"");
      throw new ServletException(new SQLException("met another", "40001"));
    }
    response.setStatus(request.getHeader("X-Fail") == null ? 201 : 500);
    response.getWriter().print("charged");
  }

  private int charges() throws ServletException {
    try (Connection connection = pool.getConnection();
        Statement statement = connection.createStatement();
        ResultSet count = statement.executeQuery("SELECT count(*) FROM charge")) {
      count.next();
      return count.getInt(1);
    } catch (SQLException e) {
      throw new ServletException(e);
    }
  }

  private HttpRequest.Builder charge(Jetty jetty) {
    return HttpRequest.newBuilder(jetty.uri().resolve("/charge"))
        .header(HttpHeader.KEY, "k-1")
        .timeout(PATIENCE)
        .POST(BodyPublishers.ofString("{\"amount\":10}"));
  }

  private HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new AssertionError(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError(e);
    }
  }

  /** While all of them wait for the first one, other requests get through. */
  private List<HttpResponse<String>> clickWhileOthersCount(Jetty jetty) throws Exception {
    HttpRequest click = charge(jetty).header("X-Gate", "yes").build();
    CompletableFuture<List<HttpResponse<String>>> clicks =
        CompletableFuture.supplyAsync(() -> Racers.onVirtualThreads(CLICKS, i -> send(click)));
    assertThat(charging.await(20, TimeUnit.SECONDS)).isTrue();
    for (int i = 0; i < 20; i++) {
      HttpResponse<String> count =
          send(HttpRequest.newBuilder(jetty.uri().resolve("/count")).timeout(PATIENCE).build());
      assertThat(count.body()).as("not committed yet").isEqualTo("0");
    }
    gate.countDown();
    return clicks.get(60, TimeUnit.SECONDS);
  }

  @Test
  void whereTheyWaitAllClicksGetTheOneChargesAnswer() throws Exception {
    try (Jetty jetty = start(ExecutionPolicy.defaults().withWaitUpTo(Duration.ofSeconds(30)))) {
      List<HttpResponse<String>> answers = clickWhileOthersCount(jetty);
      assertThat(charges()).isEqualTo(1);
      assertThat(answers)
          .allSatisfy(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(201);
                assertThat(answer.body()).isEqualTo("charged");
              });
      assertThat(answers)
          .filteredOn(a -> a.headers().firstValue(HttpHeader.REPLAYED).isEmpty())
          .hasSize(1);
    }
  }

  @Test
  void whereTheyDoNotWaitTheRestIsToldToComeAgain() throws Exception {
    try (Jetty jetty = start(ExecutionPolicy.defaults())) {
      List<HttpResponse<String>> answers = clickWhileOthersCount(jetty);
      assertThat(charges()).isEqualTo(1);
      assertThat(answers).filteredOn(a -> a.statusCode() == 201).isNotEmpty();
      assertThat(answers)
          .filteredOn(a -> a.statusCode() != 201)
          .isNotEmpty()
          .allSatisfy(
              answer -> {
                assertThat(answer.statusCode()).isEqualTo(409);
                assertThat(answer.body()).contains(HttpRefusal.IN_FLIGHT.type());
              });
    }
  }

  @Test
  void anAnswerOf500RollsTheChargeBack() throws Exception {
    try (Jetty jetty = start(ExecutionPolicy.defaults())) {
      HttpResponse<String> failed = send(charge(jetty).header("X-Fail", "yes").build());
      assertThat(failed.statusCode()).isEqualTo(500);
      assertThat(charges()).isZero();
      assertThat(send(charge(jetty).build()).statusCode()).isEqualTo(201);
      assertThat(send(charge(jetty).build()).headers().firstValue(HttpHeader.REPLAYED)).isPresent();
      assertThat(charges()).isEqualTo(1);
    }
  }

  /** Another thread's writes would not be in the transaction. */
  @Test
  void nothingGoesAsynchronousInATransaction() throws Exception {
    try (Jetty jetty = start(ExecutionPolicy.defaults())) {
      HttpResponse<String> refused = send(charge(jetty).header("X-Async", "yes").build());
      assertThat(refused.statusCode()).isEqualTo(500);
      assertThat(charges()).isZero();
      assertThat(send(charge(jetty).build()).statusCode()).isEqualTo(201);
    }
  }

  /** A filter chain can't run a second time, so the client gets an answer to try again. */
  @Test
  void aTransactionThatMetAnotherIsTriedAgainByTheClient() throws Exception {
    try (Jetty jetty = start(ExecutionPolicy.defaults())) {
      HttpResponse<String> refused = send(charge(jetty).header("X-Conflict", "yes").build());
      assertThat(refused.statusCode()).isEqualTo(503);
      assertThat(refused.body()).contains("with the same key");
      assertThat(refused.headers().firstValue("Retry-After")).isPresent();
      assertThat(refused.headers().firstValue("ETag")).isEmpty();
      assertThat(charges()).isZero();
      assertThat(send(charge(jetty).build()).statusCode()).isEqualTo(201);
      assertThat(charges()).isEqualTo(1);
    }
  }
}
