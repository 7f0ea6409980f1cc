package dev.semel.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.Patience;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.Streams;
import io.vertx.core.Context;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The largest JSON bodies delay no other caller: a thread beside the only event loop parses them.
 */
@Tag("service")
final class LongJsonTest {
  private static final StreamPath PATH = new StreamPath("numbers");
  private static final int BYTES = 16 << 20;

  @TempDir Path folder;

  private final HttpClient client =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private JournalStreams streams;
  private SemelServer server;
  private volatile Hold hold = new Hold("", 0);

  @BeforeEach
  void start() {
    streams =
        JournalStreams.open(folder, InstantSource.system(), JournalStreams.Settings.defaults());
    server =
        SemelServer.start(
            ServerSettings.defaults().withAddress("127.0.0.1", 0).withEventLoops(1),
            ServerBackend.of(held(streams)));
  }

  @AfterEach
  void stop() {
    server.close();
    streams.close();
  }

  /** [1,1,…,1], up to the limit of a body. */
  private static byte[] numbers() {
    byte[] bytes = new byte[BYTES - 1];
    Arrays.fill(bytes, (byte) ',');
    for (int i = 1; i < bytes.length; i += 2) {
      bytes[i] = '1';
    }
    bytes[0] = '[';
    bytes[bytes.length - 1] = ']';
    return bytes;
  }

  @Test
  void othersAreAnsweredWhileOneIsAppended() throws Exception {
    create();
    othersAreAnsweredWhile("append", () -> send("POST", "numbers", numbers()), 204);
  }

  @Test
  void othersAreAnsweredWhileAStreamBeginsWithOne() throws Exception {
    othersAreAnsweredWhile("create", () -> send("PUT", "new", numbers()), 201);
  }

  /** A short body is not handed to another thread. */
  @Test
  void aShortOneStaysOnTheLoop() throws Exception {
    create();
    hold = new Hold("append", 0);
    assertThat(send("POST", "numbers", new byte[] {'7'}).join().statusCode()).isEqualTo(204);
    assertThat(hold.onLoop).isTrue();
  }

  /**
   * Blocks the engine until the server has shown that it is healthy. The thread that called the
   * engine has parsed the whole body before.
   */
  private void othersAreAnsweredWhile(
      String call, Supplier<CompletableFuture<HttpResponse<byte[]>>> request, int status)
      throws Exception {
    hold = new Hold(call, 1);
    CompletableFuture<HttpResponse<byte[]>> answer = request.get();
    hold.reached.await();
    assertThat(get("/healthz").statusCode()).isEqualTo(200);
    assertThat(answer).isNotDone();
    hold.goOn.countDown();
    assertThat(answer.join().statusCode()).isEqualTo(status);
    assertThat(hold.onLoop).isFalse();
  }

  /** Blocks an engine's call. */
  private static final class Hold {
    private final String call;
    private final CountDownLatch reached = new CountDownLatch(1);
    private final CountDownLatch goOn;
    private volatile boolean onLoop;

    Hold(String call, int steps) {
      this.call = call;
      this.goOn = new CountDownLatch(steps);
    }

    void meet() throws InterruptedException {
      onLoop = Context.isOnEventLoopThread();
      reached.countDown();
      goOn.await();
    }
  }

  private Streams held(Streams engine) {
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(),
            new Class<?>[] {Streams.class},
            (self, method, arguments) -> {
              if (method.getName().equals(hold.call)) {
                hold.meet();
              }
              try {
                return method.invoke(engine, arguments);
              } catch (InvocationTargetException e) {
                throw e.getCause();
              }
            });
  }

  /** A reader after a restart, when no index of messages is in memory yet. */
  @Test
  void itIsReadInPiecesBetweenMessages() throws Exception {
    create();
    assertThat(send("POST", "numbers", numbers()).join().statusCode()).isEqualTo(204);
    stop();
    start();
    long bytes = 0;
    String offset = "-1";
    while (true) {
      HttpResponse<byte[]> read = get("/v1/stream/numbers?offset=" + offset);
      assertThat(read.statusCode()).isEqualTo(200);
      byte[] body = read.body();
      assertThat(new String(body, 0, 3, StandardCharsets.US_ASCII)).isEqualTo("[1,");
      assertThat(new String(body, body.length - 2, 2, StandardCharsets.US_ASCII)).isEqualTo("1]");
      bytes += body.length - 1;
      offset = read.headers().firstValue("Stream-Next-Offset").orElseThrow();
      if (read.headers().firstValue("Stream-Up-To-Date").isPresent()) {
        break;
      }
    }
    assertThat(bytes).isEqualTo(BYTES - 2);
  }

  private void create() {
    streams.create(CreateRequest.of(PATH, ContentType.JSON)).toCompletableFuture().join();
  }

  private CompletableFuture<HttpResponse<byte[]>> send(String method, String path, byte[] body) {
    return client.sendAsync(
        HttpRequest.newBuilder(uri("/v1/stream/" + path))
            .header("Content-Type", "application/json")
            .method(method, BodyPublishers.ofByteArray(body))
            .build(),
        BodyHandlers.ofByteArray());
  }

  private HttpResponse<byte[]> get(String path) throws Exception {
    return client.send(
        HttpRequest.newBuilder(uri(path)).timeout(Patience.LIMIT).build(),
        BodyHandlers.ofByteArray());
  }

  private URI uri(String path) {
    return URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
  }
}
