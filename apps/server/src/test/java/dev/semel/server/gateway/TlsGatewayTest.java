package dev.semel.server.gateway;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpServer;
import dev.semel.http.HttpHeader;
import dev.semel.idempotency.MemoryStore;
import dev.semel.junit.Patience;
import dev.semel.junit.TestCertificate;
import dev.semel.server.http.TlsFiles;
import dev.semel.server.http.TlsSettings;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Callers over TLS and HTTP/2, before a service without both. */
@Tag("service")
class TlsGatewayTest {
  /** A request that reached the service. */
  private record Seen(String method, Headers headers, int length) {}

  @TempDir static Path made;
  private static TestCertificate certificate;

  @TempDir Path folder;
  private final BlockingQueue<Seen> seen = new LinkedBlockingQueue<>();
  private HttpServer service;
  private Guarding guarding;
  private HttpClient client;

  @BeforeAll
  static void make() throws Exception {
    certificate = TestCertificate.make(made);
  }

  @BeforeEach
  void start() throws Exception {
    service = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 1024);
    service.createContext(
        "/",
        exchange -> {
          int length = exchange.getRequestBody().readAllBytes().length;
          seen.add(new Seen(exchange.getRequestMethod(), exchange.getRequestHeaders(), length));
          byte[] answer = ("done " + seen.size()).getBytes(UTF_8);
          exchange.sendResponseHeaders(201, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    service.start();
    TlsSettings.Pair files = TlsFiles.write(certificate, folder);
    Upstream upstream = Upstream.parse("http://127.0.0.1:" + service.getAddress().getPort());
    guarding =
        Guarding.with(
            settings ->
                GatewaySettings.to(upstream)
                    .withAddress("127.0.0.1", 0, false)
                    .withEventLoops(1)
                    .withTls(TlsSettings.of(files.certificate(), files.key())),
            new MemoryStore(InstantSource.system()));
    client =
        HttpClient.newBuilder().sslContext(certificate.trusted()).version(Version.HTTP_2).build();
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    guarding.close();
    service.stop(0);
  }

  private HttpResponse<String> send(String method, BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    return send(method, "/pay", body, headers);
  }

  private HttpResponse<String> send(
      String method, String path, BodyPublisher body, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(
                URI.create("https://127.0.0.1:%d%s".formatted(guarding.gateway.port(), path)))
            .timeout(Patience.LIMIT)
            .method(method, body);
    HttpResponse<String> answer =
        client.send(
            (headers.length == 0 ? request : request.headers(headers)).build(),
            BodyHandlers.ofString());
    assertThat(answer.version()).isEqualTo(Version.HTTP_2);
    return answer;
  }

  @Test
  void aKeyIsExecutedOnce() throws Exception {
    for (boolean replayed : new boolean[] {false, true}) {
      HttpResponse<String> answer = send("POST", BodyPublishers.ofString("x"), HttpHeader.KEY, "k");
      assertThat(answer.statusCode()).isEqualTo(201);
      assertThat(answer.body()).isEqualTo("done 1");
      assertThat(Guarding.isReplay(answer)).isEqualTo(replayed);
    }
    assertThat(seen).hasSize(1);
  }

  @Test
  void theServiceIsToldInItsOwnWords() throws Exception {
    send("GET", BodyPublishers.noBody());
    Headers headers = seen.take().headers();
    String port = Integer.toString(guarding.gateway.port());
    assertThat(headers.getFirst("Host")).endsWith(":" + service.getAddress().getPort());
    assertThat(headers.getFirst("X-Forwarded-Host")).isEqualTo("127.0.0.1:" + port);
    assertThat(headers.getFirst("X-Forwarded-Proto")).isEqualTo("https");
    assertThat(headers.getFirst("Forwarded")).contains("proto=https");
    assertThat(headers.getFirst("Via")).isEqualTo("2.0 semel");
    assertThat(headers.keySet())
        .noneMatch(name -> name.startsWith(":") || name.equalsIgnoreCase("Transfer-Encoding"));
  }

  @Test
  void itsCertificateIsAmongItsMeters() throws Exception {
    assertThat(send("GET", "/.semel/metrics", BodyPublishers.noBody()).body())
        .contains(
            "semel_tls_reloads_total{outcome=\"refused\"} 0",
            "semel_tls_certificate_expires_seconds ");
    assertThat(seen).isEmpty();
  }

  @Test
  void bodiesWithAndWithoutALengthPass() throws Exception {
    byte[] much = new byte[300_000];
    send("POST", BodyPublishers.ofByteArray(much));
    send("POST", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(much)));
    send("POST", BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(new byte[0])));
    send("POST", BodyPublishers.noBody());
    assertThat(seen).extracting(Seen::length).containsExactly(300_000, 300_000, 0, 0);
    assertThat(send("GET", BodyPublishers.noBody()).body()).isEqualTo("done 5");
  }

  @Test
  void aHeaderCanNotBeginAnother() throws Exception {
    for (String value : List.of("a\r\nX-Injected: 1", "a\nb", "a\u0000b")) {
      try (Frames frames = new Frames()) {
        frames.ask("x-plain", value);
        assertThat(frames.answered()).as(value).isTrue();
      }
    }
    assertThat(seen).isEmpty();
    try (Frames frames = new Frames()) {
      frames.ask("cookie", "a=1", "cookie", "b=2");
      assertThat(frames.answered()).isTrue();
    }
    assertThat(seen.take().headers().get("Cookie")).containsExactly("a=1; b=2");
  }

  /** HTTP/2 by hand, for frames that no client sends. */
  private final class Frames implements AutoCloseable {
    private static final int HEADERS = 1;
    private static final int RESET = 3;
    private static final int SETTINGS = 4;
    private static final int GO_AWAY = 7;

    /** Flags: end of the stream, and end of the headers. */
    private static final int WHOLE = 1 | 4;

    private final SSLSocket socket;

    Frames() throws Exception {
      socket =
          (SSLSocket)
              certificate
                  .trusted()
                  .getSocketFactory()
                  .createSocket(InetAddress.getLoopbackAddress(), guarding.gateway.port());
      SSLParameters parameters = socket.getSSLParameters();
      parameters.setApplicationProtocols(new String[] {"h2"});
      socket.setSSLParameters(parameters);
      socket.setSoTimeout(Math.toIntExact(Patience.LIMIT.toMillis()));
      socket.getOutputStream().write("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(ISO_8859_1));
      frame(SETTINGS, 0, 0, new byte[0]);
    }

    private void frame(int type, int flags, int stream, byte[] payload) throws IOException {
      ByteArrayOutputStream out = new ByteArrayOutputStream();
      out.write(payload.length >> 16);
      out.write(payload.length >> 8);
      out.write(payload.length);
      out.write(type);
      out.write(flags);
      out.write(new byte[] {0, 0, 0, (byte) stream});
      out.write(payload);
      socket.getOutputStream().write(out.toByteArray());
      socket.getOutputStream().flush();
    }

    void ask(String... more) throws IOException {
      ByteArrayOutputStream block = new ByteArrayOutputStream();
      literal(block, ":method", "GET");
      literal(block, ":scheme", "https");
      literal(block, ":path", "/");
      literal(block, ":authority", "127.0.0.1");
      for (int i = 0; i < more.length; i += 2) {
        literal(block, more[i], more[i + 1]);
      }
      frame(HEADERS, WHOLE, 1, block.toByteArray());
    }

    private static void literal(ByteArrayOutputStream block, String name, String value)
        throws IOException {
      block.write(0);
      block.write(name.length());
      block.write(name.getBytes(ISO_8859_1));
      block.write(value.length());
      block.write(value.getBytes(ISO_8859_1));
    }

    /** Reads until headers come, or the stream or the connection ends. */
    boolean answered() throws IOException {
      DataInputStream in = new DataInputStream(socket.getInputStream());
      while (true) {
        int first = in.read();
        if (first < 0) {
          return true;
        }
        int length = first << 16 | in.readUnsignedShort();
        int type = in.readUnsignedByte();
        in.readUnsignedByte();
        in.readInt();
        in.readNBytes(length);
        if (type == HEADERS || type == RESET || type == GO_AWAY) {
          return true;
        }
      }
    }

    @Override
    public void close() throws IOException {
      socket.close();
    }
  }
}
