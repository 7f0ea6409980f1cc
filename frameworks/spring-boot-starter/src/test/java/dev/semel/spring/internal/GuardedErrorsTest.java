package dev.semel.spring.internal;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.idempotency.EffectUnknown;
import java.io.EOFException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Import;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;

/** Handlers whose exceptions Spring would turn into answers, over real sockets. */
final class GuardedErrorsTest {
  private static final AtomicInteger CHARGES = new AtomicInteger();
  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private static ConfigurableApplicationContext app;

  @SpringBootConfiguration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  @Import({Shop.class, Advice.class})
  static class App {}

  @RestController
  static class Shop {
    /** The exception of the JDK's client when a service closes the connection. */
    private static IOException hungUp() {
      return new IOException(
          "HTTP/1.1 header parser received no bytes",
          new EOFException("EOF reached while reading"));
    }

    @PostMapping("/unknown")
    String unknown() {
      CHARGES.incrementAndGet();
      throw new EffectUnknown("the card processor hung up", hungUp());
    }

    @PostMapping("/lost")
    String lost() throws IOException {
      CHARGES.incrementAndGet();
      throw hungUp();
    }

    @PostMapping("/advised")
    String advised() {
      CHARGES.incrementAndGet();
      throw new EffectUnknown("no answer", new IllegalArgumentException("advised"));
    }

    @PostMapping("/handled")
    String handled() throws IOException {
      CHARGES.incrementAndGet();
      throw new Declined(hungUp());
    }
  }

  static final class Declined extends IOException {
    private static final long serialVersionUID = 1L;

    Declined(Throwable cause) {
      super("declined", cause);
    }
  }

  /** An exception handler for everything, as many applications have it. */
  @RestControllerAdvice
  static class Advice {
    @ExceptionHandler(IllegalArgumentException.class)
    ResponseEntity<String> anything(IllegalArgumentException e) {
      return ResponseEntity.internalServerError().body("sorry");
    }

    @ExceptionHandler(Declined.class)
    ResponseEntity<String> declined(Declined e) {
      return ResponseEntity.status(402).body(e.getMessage());
    }
  }

  @BeforeAll
  static void start() {
    app =
        new SpringApplicationBuilder(App.class)
            .properties(
                Map.of(
                    "server.port",
                    "0",
                    "semel.store",
                    "memory:",
                    "semel.http.enabled",
                    "true",
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.security.autoconfigure.web.servlet.ServletWebSecurityAutoConfiguration,"
                        + "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration,"
                        + "org.springframework.boot.security.autoconfigure.actuate.web.servlet.ManagementWebSecurityAutoConfiguration"))
            .run();
  }

  @AfterAll
  static void stop() {
    app.close();
  }

  private static HttpResponse<String> post(String path) throws Exception {
    String port = app.getEnvironment().getProperty("local.server.port");
    return CLIENT.send(
        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
            .header("Idempotency-Key", "key-of-" + path.substring(1))
            .POST(HttpRequest.BodyPublishers.noBody())
            .build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Posts until the key is settled: an unknown effect leaves the key with the shortest lease. */
  private static HttpResponse<String> postOnceSettled(String path) throws Exception {
    HttpResponse<String> answer;
    do {
      answer = post(path);
    } while (answer.body().contains("request-in-flight"));
    return answer;
  }

  @Test
  void unknownEffectOfAServiceThatHungUpIsInDoubt() throws Exception {
    int before = CHARGES.get();
    assertThat(post("/unknown").statusCode()).isEqualTo(500);
    HttpResponse<String> again = postOnceSettled("/unknown");
    assertThat(again.statusCode()).isEqualTo(409);
    assertThat(again.body()).contains("in-doubt");
    assertThat(CHARGES.get() - before).isOne();
  }

  @Test
  void unknownEffectIsInDoubtWhateverTheApplicationAnswersToItsCause() throws Exception {
    int before = CHARGES.get();
    assertThat(post("/advised").statusCode()).isEqualTo(500);
    assertThat(postOnceSettled("/advised").statusCode()).isEqualTo(409);
    assertThat(CHARGES.get() - before).isOne();
  }

  /** Counts as a failure: its key is released. */
  @Test
  void connectionThatEndedUnderTheHandlerIsNoSuccess() throws Exception {
    int before = CHARGES.get();
    assertThat(post("/lost").statusCode()).isEqualTo(500);
    assertThat(post("/lost").statusCode()).isEqualTo(500);
    assertThat(CHARGES.get() - before).isEqualTo(2);
  }

  @Test
  void applicationsOwnAnswerToSuchAFailureIsKept() throws Exception {
    int before = CHARGES.get();
    assertThat(post("/handled").statusCode()).isEqualTo(402);
    HttpResponse<String> again = post("/handled");
    assertThat(again.statusCode()).isEqualTo(402);
    assertThat(again.headers().firstValue("Idempotency-Replayed")).hasValue("true");
    assertThat(CHARGES.get() - before).isOne();
  }
}
