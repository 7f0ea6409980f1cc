package dev.semel.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.nats.JetStreamSettings;
import dev.semel.nats.JetStreamTransport;
import dev.semel.nats.StreamSettings;
import dev.semel.testservices.NatsService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.transport.Message;
import dev.semel.transport.Transport;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;

/**
 * One trace from the HTTP request over outbox, broker and inbox to the handler and its messages,
 * with span names by OpenTelemetry's messaging conventions and Spring Boot's own tracing.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
@ResourceLock(SpringPostgresTest.LOGGING)
class SpringTracingTest {
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  /** The caller's span, which belongs to a trace already. */
  private static final String CALLER = "00f067aa0ba902b7";

  private static ConfigurableApplicationContext app;
  private static InMemorySpanExporter spans;

  static class Orders {
    private final TransactionalOutbox outbox;

    Orders(TransactionalOutbox outbox) {
      this.outbox = outbox;
    }

    @Idempotent(key = "#order", operation = "order")
    public String place(String order) {
      outbox.add(Message.of("orders", order));
      return order;
    }
  }

  @RestController
  static class Routes {
    private final Orders orders;

    Routes(Orders orders) {
      this.orders = orders;
    }

    @PostMapping("/orders/{order}")
    String place(@PathVariable("order") String order) {
      return orders.place(order);
    }
  }

  /** Without a component scan, because this is not an application's package. */
  @SpringBootConfiguration
  @EnableAutoConfiguration
  static class App {
    @Configuration(proxyBeanMethods = false)
    static class Beans {
      @Bean
      InMemorySpanExporter spans() {
        return InMemorySpanExporter.create();
      }

      @Bean
      SpanProcessor atOnce(InMemorySpanExporter spans) {
        return SimpleSpanProcessor.create(spans);
      }

      @Bean(destroyMethod = "close")
      Transport transport(@Value("${test.nats}") String nats) {
        return JetStreamTransport.connect(
            JetStreamSettings.of(
                nats, StreamSettings.of("TRACED", "orders", "booked", "semel-dead-letters")));
      }

      @Bean
      Orders orders(TransactionalOutbox outbox) {
        return new Orders(outbox);
      }

      @Bean
      Routes routes(Orders orders) {
        return new Routes(orders);
      }

      @Bean
      InboxConsumer ledger(TransactionalOutbox outbox, ObservationRegistry observations) {
        return new InboxConsumer(
            "ledger",
            "orders",
            message -> {
              String order = new String(message.payload(), StandardCharsets.UTF_8);
              if (order.equals("poison")) {
                throw new IllegalStateException("can't book it");
              }
              Observation.createNotStarted("book", observations).observe(() -> {});
              outbox.add(Message.of("booked", order));
            });
      }
    }
  }

  @BeforeAll
  static void start(PostgresService postgres, NatsService nats) {
    app =
        new SpringApplicationBuilder(App.class)
            .properties(
                "server.port=0",
                "test.nats=" + nats.url(),
                "spring.datasource.url=" + postgres.freshDatabase().jdbcUrl(),
                "semel.consumer.max-attempts=1",
                "management.tracing.sampling.probability=1.0",
                "management.endpoints.web.exposure.include=prometheus",
                "spring.autoconfigure.exclude="
                    + "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                    + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration")
            .run();
    spans = app.getBean(InMemorySpanExporter.class);
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static HttpRequest.Builder request(String path) {
    String port = app.getEnvironment().getProperty("local.server.port");
    return HttpRequest.newBuilder(URI.create("http://localhost:" + port + path));
  }

  private static String send(HttpRequest request) throws Exception {
    HttpResponse<String> answer = CLIENT.send(request, HttpResponse.BodyHandlers.ofString());
    assertThat(answer.statusCode()).as(answer.body()).isEqualTo(200);
    return answer.body();
  }

  private static void place(String order, String trace) throws Exception {
    send(
        request("/orders/" + order)
            .header("traceparent", "00-%s-%s-01".formatted(trace, CALLER))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build());
  }

  /** The spans of one trace by name, once these have ended. */
  private static Map<String, SpanData> trace(String trace, String... names) {
    Map<String, SpanData> found = new HashMap<>();
    await()
        .untilAsserted(
            () -> {
              found.clear();
              spans.getFinishedSpanItems().stream()
                  .filter(span -> span.getTraceId().equals(trace))
                  .forEach(span -> found.put(span.getName(), span));
              assertThat(found).containsKeys(names);
            });
    return found;
  }

  private static SpanData span(Map<String, SpanData> trace, String name) {
    return Objects.requireNonNull(trace.get(name));
  }

  private static void assertParents(Map<String, SpanData> trace, String... childThenParent) {
    for (int i = 0; i < childThenParent.length; i += 2) {
      assertThat(span(trace, childThenParent[i]).getParentSpanId())
          .as("%s is the parent of %s", childThenParent[i + 1], childThenParent[i])
          .isEqualTo(span(trace, childThenParent[i + 1]).getSpanId());
    }
  }

  private static void assertMessaging(SpanData span, SpanKind kind, String type, String name) {
    assertThat(span.getKind()).isEqualTo(kind);
    assertThat(attribute(span, "messaging.system")).isEqualTo("nats");
    assertThat(attribute(span, "messaging.operation.type")).isEqualTo(type);
    assertThat(attribute(span, "messaging.operation.name")).isEqualTo(type);
    assertThat(attribute(span, "messaging.destination.name")).isEqualTo(name);
    assertThat(attribute(span, "messaging.message.id")).isNotEmpty();
  }

  private static String attribute(SpanData span, String name) {
    return String.valueOf(span.getAttributes().get(AttributeKey.stringKey(name)));
  }

  @Test
  void oneTraceGoesFromTheRequestOverOutboxBrokerAndInboxToTheHandlerAndWhatItSends()
      throws Exception {
    String id = "4bf92f3577b34da6a3ce929d0e0e4736";
    place("first", id);
    Map<String, SpanData> trace =
        trace(
            id,
            "http post /orders/{order}",
            "semel order",
            "create orders",
            "send orders",
            "process orders",
            "book",
            "create booked",
            "send booked");
    assertThat(span(trace, "http post /orders/{order}").getParentSpanId()).isEqualTo(CALLER);
    assertParents(
        trace,
        "semel order",
        "http post /orders/{order}",
        "create orders",
        "semel order",
        "send orders",
        "create orders",
        "process orders",
        "create orders",
        "book",
        "process orders",
        "create booked",
        "process orders",
        "send booked",
        "create booked");
    assertMessaging(span(trace, "create orders"), SpanKind.PRODUCER, "create", "orders");
    assertMessaging(span(trace, "send orders"), SpanKind.CLIENT, "send", "orders");
    SpanData process = span(trace, "process orders");
    assertMessaging(process, SpanKind.CONSUMER, "process", "orders");
    assertThat(attribute(process, "messaging.consumer.group.name")).isEqualTo("ledger");
    assertThat(attribute(process, "messaging.message.id"))
        .isEqualTo(attribute(span(trace, "create orders"), "messaging.message.id"));
    assertThat(process.getStatus().getStatusCode()).isNotEqualTo(StatusCode.ERROR);
  }

  @Test
  void aHandlerThatFailsAndTheDeadLetterAreInTheTraceToo() throws Exception {
    String id = "5bf92f3577b34da6a3ce929d0e0e4737";
    place("poison", id);
    Map<String, SpanData> trace = trace(id, "process orders", "send semel-dead-letters");
    SpanData process = span(trace, "process orders");
    assertThat(process.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
    assertThat(attribute(process, "error.type")).isEqualTo("java.lang.IllegalStateException");
    assertParents(trace, "send semel-dead-letters", "create orders");
  }

  /** Exemplars lead from a slow bucket to a slow request. */
  @Test
  void histogramsHaveExemplarsWithTheTrace() throws Exception {
    place("measured", "6bf92f3577b34da6a3ce929d0e0e4738");
    String meters =
        send(
            request("/actuator/prometheus")
                .header("Accept", "application/openmetrics-text; version=1.0.0")
                .build());
    for (String meter : List.of("semel_execution_seconds", "semel_dedup_check_seconds")) {
      assertThat(meters)
          .containsPattern(
              Pattern.compile(
                  meter
                      + "_bucket\\{[^}]*operation=\"order\"[^}]*\\} \\d+ # \\{[^}]*"
                      + "trace_id=\"[456]bf92f3577b34da6a3ce929d0e0e473[678]\""));
    }
  }
}
