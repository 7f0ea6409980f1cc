package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Outcome;
import dev.semel.loop.Platform;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import dev.semel.transport.MemoryTransport;
import dev.semel.transport.MemoryTransportSettings;
import dev.semel.transport.Message;
import dev.semel.transport.PublishFailed;
import dev.semel.transport.PublishResult;
import dev.semel.transport.SubscribeSettings;
import dev.semel.transport.Transport;
import dev.semel.transport.spi.Subscription;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * What a load balancer and an operator see at {@code /actuator/health} when an application needs
 * attention. Each test looks for one reason, because others may be present too.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
@ResourceLock(SpringPostgresTest.LOGGING)
class SpringHealthTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static ConfigurableApplicationContext app;
  private static TransactionTemplate transactions;

  /** A broker that can become unreachable. */
  static final class Broker implements Transport {
    private final MemoryTransport memory =
        new MemoryTransport(
            Platform.REAL,
            MemoryTransportSettings.defaults()
                .withDestinations(Set.of("charges", "semel-dead-letters")));
    final AtomicBoolean away = new AtomicBoolean();

    @Override
    public String describe() {
      return "a broker";
    }

    @Override
    public CompletionStage<PublishResult> publish(Message message) {
      return away.get()
          ? CompletableFuture.failedFuture(
              new PublishFailed(PublishFailed.Kind.UNREACHABLE, "nobody listens"))
          : memory.publish(message);
    }

    @Override
    public boolean keepsOrder() {
      return memory.keepsOrder();
    }

    @Override
    public Subscription subscribe(String destination, String consumer, SubscribeSettings how) {
      return memory.subscribe(destination, consumer, how);
    }

    @Override
    public List<String> hazards(Duration retrySpan) {
      return memory.hazards(retrySpan);
    }

    @Override
    public void close() {
      memory.close();
    }
  }

  /** Without a component scan, because this is not an application's package. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {
    @Configuration(proxyBeanMethods = false)
    static class Beans {
      @Bean(destroyMethod = "close")
      Broker transport() {
        return new Broker();
      }

      @Bean
      InboxConsumer ledger() {
        return new InboxConsumer(
            "ledger",
            "charges",
            message -> {
              if (new String(message.payload(), StandardCharsets.UTF_8).equals("poison")) {
                throw new IllegalStateException("can't book the card 4711");
              }
            });
      }
    }
  }

  /** The application without a database. */
  @SpringBootConfiguration
  @EnableAutoConfiguration(
      excludeName = "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration")
  static class Plain {}

  private static ConfigurableApplicationContext run(Class<?> what, String... properties) {
    return new SpringApplicationBuilder(what)
        .properties(
            "server.port=0",
            "management.endpoint.health.show-details=always",
            "spring.autoconfigure.exclude="
                + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration")
        .properties(properties)
        .run();
  }

  @BeforeAll
  static void start(PostgresService postgres) throws Exception {
    TestDatabase database = postgres.freshDatabase();
    app =
        run(
            App.class,
            "spring.datasource.url=" + database.jdbcUrl(),
            "semel.consumer.max-attempts=2",
            "semel.consumer.first-pause=1ms");
    transactions = new TransactionTemplate(app.getBean(PlatformTransactionManager.class));
    Answer fresh = health(app, "");
    assertThat(fresh.status()).isEqualTo("UP");
    assertThat(fresh.of("semel").path("status").asString()).isEqualTo("UP");
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static void add(Message message) {
    TransactionalOutbox outbox = app.getBean(TransactionalOutbox.class);
    transactions.executeWithoutResult(status -> outbox.add(message));
  }

  /** The answer with its status code. */
  private record Answer(int code, JsonNode body) {
    String status() {
      return body.path("status").asString();
    }

    JsonNode of(String component) {
      return body.path("components").path(component);
    }

    /** The reason's text; empty: it is not present. */
    String reason(String name) {
      return of("semel").path("details").path("reasons").path(name).asString("");
    }
  }

  private static Answer health(ConfigurableApplicationContext of, String group) throws Exception {
    String port = of.getEnvironment().getProperty("local.server.port");
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(
                    URI.create("http://localhost:" + port + "/actuator/health" + group))
                .build(),
            HttpResponse.BodyHandlers.ofString());
    return new Answer(answer.statusCode(), new JsonMapper().readTree(answer.body()));
  }

  /** Checks that the health is degraded for this reason, and the instance still ready. */
  private static void assertDegraded(String reason, String text) throws Exception {
    Answer whole = health(app, "");
    assertThat(whole.reason(reason)).contains(text);
    assertThat(whole.of("semel").path("status").asString()).isEqualTo("DEGRADED");
    assertThat(whole.status()).isEqualTo("DEGRADED");
    assertThat(whole.code()).isEqualTo(200);
    Answer ready = health(app, "/readiness");
    assertThat(ready.status()).isEqualTo("DEGRADED");
    assertThat(ready.code()).isEqualTo(200);
    assertThat(health(app, "/liveness").status()).isEqualTo("UP");
  }

  @Test
  void aMessageThatAConsumerGaveUpDegradesTheHealthButNobodyIsSentElsewhere() {
    add(Message.of("charges", "poison"));
    await().untilAsserted(() -> assertDegraded("dead-letters", "ledger gave up "));
  }

  @Test
  void theHealthSaysNothingOfWhatAHandlerSaid() {
    add(Message.of("charges", "poison"));
    await()
        .untilAsserted(() -> assertDegraded("consumer-troubled", "ledger: IllegalStateException"));
    await()
        .untilAsserted(() -> assertThat(health(app, "").body().toString()).doesNotContain("4711"));
  }

  @Test
  void aDeadLetterOfTheOutboxDegradesTheHealthUntilItIsGone() {
    add(Message.of("nowhere", "x"));
    await().untilAsserted(() -> assertDegraded("dead-letters", "in the outbox: 1"));
    OutboxOperations outbox = app.getBean(TransactionalOutbox.class).unbound().operations();
    outbox.purge(OutboxOperations.State.DEAD, OutboxOperations.Filter.ALL);
    await()
        .untilAsserted(
            () ->
                assertThat(health(app, "").reason("dead-letters")).doesNotContain("in the outbox"));
  }

  @Test
  void aBrokerOutOfReachIsSaidUntilMessagesAreTakenAgain() {
    Broker broker = app.getBean(Broker.class);
    broker.away.set(true);
    try {
      add(Message.of("charges", "late"));
      await().untilAsserted(() -> assertDegraded("relay-troubled", "nobody listens"));
    } finally {
      broker.away.set(false);
    }
    await().untilAsserted(() -> assertThat(health(app, "").reason("relay-troubled")).isEmpty());
  }

  @Test
  void whatIsInDoubtDegradesTheHealth() throws Exception {
    Idempotency idempotency = app.getBean(Idempotency.class);
    Key key = Key.of("mail", "1");
    assertThatThrownBy(
            () ->
                idempotency.execute(
                    key,
                    Fingerprint.NONE,
                    Codec.utf8(),
                    execution -> {
                      throw new EffectUnknown("hung up", new IllegalStateException());
                    }))
        .isInstanceOf(EffectUnknown.class);
    await()
        .untilAsserted(
            () ->
                assertThat(
                        idempotency.execute(
                            key, Fingerprint.NONE, Codec.utf8(), execution -> "again"))
                    .isInstanceOf(Outcome.InDoubt.class));
    assertDegraded("in-doubt", "mail");
  }

  @Test
  void whileTheStoreIsAwayOnlyInstancesThatGoOnWithoutItStayReady(@TempDir Path folder)
      throws Exception {
    try (RedisService redis = RedisService.start();
        ConfigurableApplicationContext closed =
            run(Plain.class, "semel.store=" + redis.url(), "semel.data=" + folder);
        ConfigurableApplicationContext open =
            run(
                Plain.class,
                "semel.store=" + redis.url(),
                "semel.data=" + folder,
                "semel.policy.on-outage=warn-and-continue")) {
      assertThat(health(closed, "/readiness").code()).isEqualTo(200);
      redis.kill();
      Answer refused = health(closed, "");
      assertThat(refused.status()).isEqualTo("DOWN");
      assertThat(refused.code()).isEqualTo(503);
      assertThat(refused.reason("store-away")).contains("nothing is executed");
      assertThat(health(closed, "/readiness").code()).isEqualTo(503);
      assertThat(health(closed, "/liveness").code()).isEqualTo(200);

      Answer unguarded = health(open, "");
      assertThat(unguarded.status()).isEqualTo("DEGRADED");
      assertThat(unguarded.reason("store-away")).contains("unguarded");
      assertThat(health(open, "/readiness").code()).isEqualTo(200);

      redis.restart();
      await().untilAsserted(() -> assertThat(health(closed, "/readiness").code()).isEqualTo(200));
    }
  }
}
