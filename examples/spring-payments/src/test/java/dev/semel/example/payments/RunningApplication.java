package dev.semel.example.payments;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.http.HttpHeader;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.testservices.TestDatabase;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** The unchanged application in a separate process, on a free port. */
final class RunningApplication implements AutoCloseable {
  static final Duration PATIENCE = Patience.LIMIT;

  private static final Pattern PORT = Pattern.compile("Tomcat started on port (\\d+)");

  private final ChildJvm process;
  private final URI address;
  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

  private RunningApplication(ChildJvm process, URI address) {
    this.process = process;
    this.address = address;
  }

  /**
   * Starts the application, and waits until it accepts requests.
   *
   * @param properties additional ones, as {@code name=value}
   */
  static RunningApplication start(
      Path folder, TestDatabase database, Broker broker, String... properties) {
    List<String> all =
        Stream.concat(
                Stream.of(
                    "server.port=0",
                    "spring.datasource.url=" + database.jdbcUrl(),
                    broker.property()),
                Stream.of(properties))
            .map(property -> "--" + property)
            .toList();
    ChildJvm process =
        ChildJvm.start(PaymentsApplication.class, newLog(folder), all.toArray(String[]::new));
    try {
      await().until(() -> !process.alive() || PORT.matcher(process.output()).find());
      Matcher port = PORT.matcher(process.output());
      assertThat(port.find()).as(process.output()).isTrue();
      return new RunningApplication(process, URI.create("http://localhost:" + port.group(1)));
    } catch (RuntimeException | Error e) {
      process.close();
      throw e;
    }
  }

  private static Path newLog(Path folder) {
    try {
      return Files.createTempFile(folder, "application", ".log");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  HttpRequest.Builder request(String customer, String path) {
    String credentials = customer + ":" + customer;
    return HttpRequest.newBuilder(address.resolve(path))
        .timeout(PATIENCE)
        .header(
            "Authorization",
            "Basic "
                + Base64.getEncoder().encodeToString(credentials.getBytes(StandardCharsets.UTF_8)));
  }

  private HttpRequest payment(String customer, String path, String key, String order, long amount) {
    return request(customer, path)
        .header("Content-Type", "application/json")
        .header(HttpHeader.KEY, key)
        .POST(BodyPublishers.ofString("{\"order\":\"%s\",\"amount\":%d}".formatted(order, amount)))
        .build();
  }

  HttpResponse<String> pay(String customer, String key, String order, long amount) {
    return send(payment(customer, "/payments", key, order, amount));
  }

  CompletableFuture<HttpResponse<String>> payLater(String customer, String key, String order) {
    return sendLater(payment(customer, "/payments", key, order, 1200));
  }

  HttpResponse<String> payByCard(String key, String order) {
    return payByCard("alice", key, order, 4500);
  }

  HttpResponse<String> payByCard(String customer, String key, String order, long amount) {
    return send(payment(customer, "/card-payments", key, order, amount));
  }

  CompletableFuture<HttpResponse<String>> payByCardLater(String key, String order) {
    return sendLater(payment("alice", "/card-payments", key, order, 4500));
  }

  /** Its output so far, including its log. */
  String output() {
    return process.output();
  }

  HttpResponse<String> get(String path) {
    return send(request("alice", path).build());
  }

  private CompletableFuture<HttpResponse<String>> sendLater(HttpRequest request) {
    return client.sendAsync(request, BodyHandlers.ofString());
  }

  HttpResponse<String> send(HttpRequest request) {
    try {
      return client.send(request, BodyHandlers.ofString());
    } catch (IOException e) {
      throw new UncheckedIOException("no answer\n" + process.output(), e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  /** Kills it by {@code kill -9}. Returns when it is gone. */
  void kill() {
    process.kill();
  }

  @Override
  public void close() {
    kill();
  }
}
