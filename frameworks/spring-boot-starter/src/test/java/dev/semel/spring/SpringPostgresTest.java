package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.HandleResult;
import dev.semel.jdbc.PostgresStore;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.UnexpectedRollbackException;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.transaction.support.TransactionTemplate;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/** A whole application with a database: its writes, messages and records commit together. */
@Tag("service")
@ExtendWith(SharedServices.class)
@ResourceLock(SpringPostgresTest.LOGGING)
class SpringPostgresTest {
  /** A lock for the process's logging, which two applications that start at once would share. */
  static final String LOGGING = "logging";

  private static ConfigurableApplicationContext app;
  private static JdbcTemplate jdbc;
  private static Payments payments;

  record Receipt(String order, long charges) {}

  /** The application's code: one idempotent method, in one transaction. */
  static class Payments {
    private final JdbcTemplate jdbc;
    private final TransactionalOutbox outbox;

    Payments(JdbcTemplate jdbc, TransactionalOutbox outbox) {
      this.jdbc = jdbc;
      this.outbox = outbox;
    }

    @Idempotent(key = "#order", operation = "payment")
    @Transactional
    public Receipt pay(String order, boolean fails) {
      jdbc.update("INSERT INTO charge (what) VALUES (?)", order);
      outbox.add(Message.of("charges", order));
      if (fails) {
        throw new IllegalStateException("after the charge");
      }
      return new Receipt(order, count(jdbc, order));
    }

    @Idempotent(key = "#order", operation = "final", finalFailures = IllegalArgumentException.class)
    public void refuse(String order) {
      jdbc.update("INSERT INTO charge (what) VALUES (?)", order);
      throw new IllegalArgumentException("refused " + order);
    }
  }

  static long count(JdbcTemplate jdbc, String what) {
    Long count =
        jdbc.queryForObject("SELECT count(*) FROM charge WHERE what = ?", Long.class, what);
    return count == null ? 0 : count;
  }

  @RestController
  static class Routes {
    private final Payments payments;
    private final JdbcTemplate jdbc;

    Routes(Payments payments, JdbcTemplate jdbc) {
      this.payments = payments;
      this.jdbc = jdbc;
    }

    /** Does not know keys: the filter does. */
    @PostMapping("/http/{order}")
    @Transactional
    public Receipt http(@PathVariable("order") String order) {
      jdbc.update("INSERT INTO charge (what) VALUES (?)", order);
      return new Receipt(order, count(jdbc, order));
    }

    @PostMapping("/pay/{order}")
    Receipt pay(@PathVariable("order") String order) {
      return payments.pay(order, false);
    }
  }

  /** Without a component scan, because this is not an application's package. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {
    @Configuration(proxyBeanMethods = false)
    static class Beans {
      @Bean
      Payments payments(JdbcTemplate jdbc, TransactionalOutbox outbox) {
        return new Payments(jdbc, outbox);
      }

      @Bean
      Routes routes(Payments payments, JdbcTemplate jdbc) {
        return new Routes(payments, jdbc);
      }

      @Bean(destroyMethod = "close")
      Transport transport() {
        return new MemoryTransport();
      }

      @Bean
      InboxConsumer ledger(JdbcTemplate jdbc) {
        return new InboxConsumer(
            "ledger",
            "charges",
            message ->
                jdbc.update(
                    "INSERT INTO ledger (what) VALUES (?)",
                    new String(message.payload(), StandardCharsets.UTF_8)));
      }
    }
  }

  @BeforeAll
  static void start(PostgresService postgres) throws Exception {
    TestDatabase database = postgres.freshDatabase();
    try (var connection = database.dataSource().getConnection();
        var statement = connection.createStatement()) {
      statement.execute("CREATE TABLE charge (id bigserial PRIMARY KEY, what text NOT NULL)");
      statement.execute("CREATE TABLE ledger (id bigserial PRIMARY KEY, what text NOT NULL)");
    }
    app =
        new SpringApplicationBuilder(App.class)
            .properties(
                "semel.http.enabled=true",
                "semel.http.paths=/http/*",
                "semel.http.same-transaction=true")
            .properties(
                Map.of(
                    "server.port", "0",
                    "spring.datasource.url", database.jdbcUrl(),
                    "spring.datasource.hikari.maximum-pool-size", "10",
                    "management.endpoints.web.exposure.include", "semel,health",
                    "management.endpoint.health.show-details", "always",
                    "spring.autoconfigure.exclude",
                        "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                            + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"))
            .run();
    jdbc = app.getBean(JdbcTemplate.class);
    payments = app.getBean(Payments.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  @Test
  void effectMessageAndRecordCommitTogetherAndTheMessageTakesEffectOnce() {
    Receipt first = payments.pay("together", false);
    assertThat(payments.pay("together", false)).isEqualTo(first);
    assertThat(count(jdbc, "together")).isEqualTo(1);
    assertThat(app.getBean(Store.class)).isInstanceOf(PostgresStore.class);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        jdbc.queryForObject(
                            "SELECT count(*) FROM ledger WHERE what = 'together'", Long.class))
                    .isEqualTo(1));
  }

  @Test
  void whatFailsLeavesNothingBehindAndRunsAgain() {
    for (int i = 0; i < 2; i++) {
      assertThatThrownBy(() -> payments.pay("failing", true)).hasMessage("after the charge");
    }
    assertThat(count(jdbc, "failing")).isZero();
    assertThat(payments.pay("failing-not", false).charges()).isEqualTo(1);
  }

  @Test
  void aFinalFailureIsKeptWithoutWhatItWrote() {
    assertThatThrownBy(() -> payments.refuse("final")).hasMessage("refused final");
    assertThatThrownBy(() -> payments.refuse("final"))
        .isInstanceOf(IdempotentRefused.FailedBefore.class);
    assertThat(count(jdbc, "final")).isZero();
  }

  @Test
  void aTransactionThatRunsIsJoinedAndTakesTheRecordAlong() {
    TransactionTemplate outer =
        new TransactionTemplate(app.getBean(PlatformTransactionManager.class));
    outer.executeWithoutResult(
        status -> {
          payments.pay("joined", false);
          status.setRollbackOnly();
        });
    assertThat(count(jdbc, "joined")).isZero();
    outer.executeWithoutResult(status -> payments.pay("joined", false));
    outer.executeWithoutResult(
        status -> {
          payments.pay("joined", false); // a duplicate leaves the transaction usable
          jdbc.update("INSERT INTO charge (what) VALUES ('beside')");
        });
    assertThat(count(jdbc, "joined")).isEqualTo(1);
    assertThat(count(jdbc, "beside")).isEqualTo(1);
  }

  @Test
  void aFailureInAJoinedTransactionCannotBeCommittedByWhoeverCatchesIt() {
    TransactionTemplate outer =
        new TransactionTemplate(app.getBean(PlatformTransactionManager.class));
    assertThatThrownBy(
            () ->
                outer.executeWithoutResult(
                    status ->
                        assertThatThrownBy(() -> payments.pay("caught", true))
                            .hasMessage("after the charge")))
        .isInstanceOf(UnexpectedRollbackException.class);
    assertThat(count(jdbc, "caught")).isZero();
  }

  @Test
  void aMessageWhoseTransactionWasToBeRolledBackHasFailedAndNothingIsUnknown() {
    PlatformTransactionManager manager = app.getBean(PlatformTransactionManager.class);
    InboxConsumer catching =
        new InboxConsumer(
            "catching",
            "charges",
            message ->
                assertThatThrownBy(() -> payments.pay("swallowed", true))
                    .hasMessage("after the charge"));
    SpringConsumerInbox consumerInbox =
        new SpringConsumerInbox(
            manager,
            app.getBean(TransactionalInbox.class),
            catching,
            (consumer, message, body) -> body.get());
    assertThat(consumerInbox.take(List.of(Message.of("charges", "x"))))
        .singleElement()
        .isInstanceOf(HandleResult.Failed.class);
    assertThat(count(jdbc, "swallowed")).isZero();
  }

  @Test
  void outboxAndInboxRefuseToGoBesideATransaction() throws Exception {
    TransactionalOutbox outbox = app.getBean(TransactionalOutbox.class);
    TransactionalInbox inbox = app.getBean(TransactionalInbox.class);
    Message message = Message.of("elsewhere", "hello");
    assertThatThrownBy(() -> outbox.add(message))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a running transaction");
    assertThatThrownBy(() -> inbox.handle("by-hand", message, m -> {}))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("needs a running transaction");
    TransactionTemplate template =
        new TransactionTemplate(app.getBean(PlatformTransactionManager.class));
    List<HandleResult> handled = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      template.executeWithoutResult(
          status -> {
            try {
              handled.add(
                  inbox.handle(
                      "by-hand",
                      message,
                      m -> jdbc.update("INSERT INTO charge (what) VALUES ('by hand')")));
            } catch (Exception e) {
              throw new AssertionError(e);
            }
          });
    }
    assertThat(handled).containsExactly(new HandleResult.Done(), new HandleResult.Duplicate());
    assertThat(count(jdbc, "by hand")).isEqualTo(1);
    template.setReadOnly(true);
    assertThatThrownBy(() -> template.executeWithoutResult(status -> outbox.add(message)))
        .hasMessageContaining("read-only");
  }

  @Test
  void twoHundredClicksAreOneCharge() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    List<Callable<Integer>> clicks = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      clicks.add(() -> client.send(request("POST", "/pay/clicked"), TEXT).statusCode());
    }
    List<Integer> statuses = new ArrayList<>();
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (Future<Integer> each : threads.invokeAll(clicks)) {
        statuses.add(each.get());
      }
    }
    assertThat(count(jdbc, "clicked")).isEqualTo(1);
    assertThat(statuses).contains(200).isSubsetOf(200, 500); // the route chooses the status
    assertThat(client.send(request("POST", "/pay/clicked"), TEXT).body())
        .isEqualTo("{\"order\":\"clicked\",\"charges\":1}");
  }

  @Test
  void requestsWithAKeyHappenOnceInTheirTransaction() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    List<HttpResponse<String>> answers = new ArrayList<>();
    for (int i = 0; i < 2; i++) {
      answers.add(client.send(keyed("/http/by-key", "key-1"), TEXT));
    }
    assertThat(answers).extracting(HttpResponse::statusCode).containsOnly(200);
    assertThat(answers).extracting(HttpResponse::body).containsOnly(answers.getFirst().body());
    assertThat(answers.getLast().headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(count(jdbc, "by-key")).isEqualTo(1);
    assertThat(client.send(keyed("/http/another", "key-1"), TEXT).statusCode()).isEqualTo(422);
    assertThat(count(jdbc, "another")).isZero();
  }

  /** Measured like requests under a lease, where the store's calls are timed. */
  @Test
  void requestsInTheirTransactionAreMeasured() throws Exception {
    HttpClient client = HttpClient.newHttpClient();
    MeterRegistry registry = app.getBean(MeterRegistry.class);
    long before = checks(registry);
    for (int i = 0; i < 2; i++) {
      client.send(keyed("/http/measured", "key-measured"), TEXT);
    }
    assertThat(checks(registry) - before).isGreaterThanOrEqualTo(2); // other tests may run, too
    assertThat(registry.get("semel.misses").tag("operation", "http").counter().count())
        .isPositive();
    assertThat(registry.get("semel.hits").tag("operation", "http").counter().count()).isPositive();
  }

  private static long checks(MeterRegistry registry) {
    Timer timer = registry.find("semel.dedup.check").tag("operation", "http").timer();
    return timer == null ? 0 : timer.count();
  }

  private static HttpRequest keyed(String path, String key) {
    return HttpRequest.newBuilder(request("POST", path), (name, value) -> true)
        .header("Idempotency-Key", key)
        .build();
  }

  @Test
  void actuatorShowsCountsAndHealth() throws Exception {
    payments.pay("shown", false);
    HttpClient client = HttpClient.newHttpClient();
    assertThat(client.send(request("GET", "/actuator/semel"), TEXT).body())
        .contains("\"outbox\":", "\"relays\":", "\"consumers\":{\"ledger\"", "\"store\":");
    assertThat(client.send(request("GET", "/actuator/health"), TEXT).body())
        .contains("\"semel\":{", "outbox_pending");
  }

  private static final HttpResponse.BodyHandler<String> TEXT = HttpResponse.BodyHandlers.ofString();

  private static HttpRequest request(String method, String path) {
    String port = app.getEnvironment().getProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
        .method(method, HttpRequest.BodyPublishers.noBody())
        .build();
  }
}
