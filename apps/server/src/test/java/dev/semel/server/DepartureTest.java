package dev.semel.server;

import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.stream.MemoryStreams;
import dev.semel.stream.spi.Streams;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.reflect.Proxy;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** A server that is about to stop, and one that stops. */
@Tag("service")
class DepartureTest {
  /** Far longer than a test: an answer before it means that the server released the caller. */
  private static final Duration LONG = Duration.ofSeconds(60);

  @Test
  void aServerThatRetiresIsNotReadyAndAnswersEverythingOnConnectionsThatEnd() throws Exception {
    try (Served served = Served.start()) {
      served.put("a", TEXT, "one");
      assertThat(header(served.get("/readyz"), "Connection")).isEmpty();

      served.server.retire();

      HttpResponse<String> ready = served.get("/readyz");
      assertThat(ready.statusCode()).isEqualTo(503);
      assertThat(ready.body()).contains("urn:semel:problem:stopping");
      assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
      HttpResponse<String> appended = served.post("a", TEXT, "two");
      assertThat(appended.statusCode()).isEqualTo(204);
      assertThat(header(appended, "Connection")).isEqualTo("close");
      try (RawClient raw = new RawClient(served.server.port())) {
        raw.send("GET /v1/stream/a HTTP/1.1\r\nHost: localhost\r\n\r\n");
        assertThat(raw.rest()).startsWith("HTTP/1.1 200").endsWith("onetwo");
      }
    }
  }

  @Test
  void aReaderThatWaitsIsServedUntilTheServerClosesAndThenToldToGo() throws Exception {
    AtomicInteger parked = new AtomicInteger();
    try (MemoryStreams streams = new MemoryStreams(InstantSource.system());
        Served served =
            Served.with(Served.settings().withLongPoll(LONG), counting(streams, parked))) {
      served.put("a", TEXT, "");
      served.put("b", TEXT, "");
      BufferedReader events =
          new BufferedReader(
              new InputStreamReader(
                  served.open("/v1/stream/a?offset=-1&live=sse").body(), StandardCharsets.UTF_8));
      CompletableFuture<HttpResponse<String>> poll =
          served.sendLater("GET", "/v1/stream/b?offset=now&live=long-poll", "");
      await().until(() -> parked.get() == 2);

      served.server.retire();

      served.post("a", TEXT, "x");
      assertThat(events.lines().anyMatch("data:x"::equals)).isTrue();
      assertThat(poll).isNotDone();
      served.server.close();
      assertThat(poll.join().statusCode()).isEqualTo(204);
      assertThat(header(poll.join(), "Connection")).isEqualTo("close");
      while (events.readLine() != null) {} // would throw if the body were cut
    }
  }

  private static Streams counting(Streams streams, AtomicInteger parked) {
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(),
            new Class<?>[] {Streams.class},
            (proxy, method, arguments) -> {
              Object answer = method.invoke(streams, arguments);
              if (method.getName().equals("await")) {
                parked.incrementAndGet();
              }
              return answer;
            });
  }

  @Test
  void aServerThatClosesTakesNobodyNewAndFinishesWhatItBegan() throws Exception {
    try (Served served = Served.start();
        RawClient slow = new RawClient(served.server.port())) {
      served.put("a", TEXT, "");
      slow.send(
          "POST /v1/stream/a HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nContent-Length: 4\r\n\r\nha");
      served.get("/healthz");
      int port = served.server.port();

      CompletableFuture<Void> closed = CompletableFuture.runAsync(served.server::close);

      await().until(() -> refused(port));
      assertThat(closed).isNotDone();
      slow.send("lf");
      assertThat(slow.line()).isEqualTo("HTTP/1.1 204 No Content");
      assertThat(slow.rest()).contains("Stream-Next-Offset");
      closed.join();
    }
  }

  private static boolean refused(int port) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
      return !socket.isConnected();
    } catch (ConnectException e) {
      return true;
    }
  }
}
