package dev.semel.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.junit.Patience;
import dev.semel.junit.TestCertificate;
import dev.semel.junit.TestProcess;
import dev.semel.server.http.ConnectionLimits;
import dev.semel.server.http.TlsFiles;
import dev.semel.server.http.TlsSettings;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpClient.Version;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.SubmissionPublisher;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** TLS and HTTP/2, with real clients. */
@Tag("service")
class TlsServeTest {
  @TempDir static Path made;
  private static TestCertificate first;
  private static TestCertificate second;

  @TempDir Path folder;
  private TlsSettings.Pair files;
  private MemoryStreams streams;
  private SemelServer server;
  private HttpClient client;

  @BeforeAll
  static void make() throws Exception {
    first = TestCertificate.make(made);
    second = TestCertificate.make(made);
  }

  @BeforeEach
  void start() throws Exception {
    files = TlsFiles.write(first, folder);
    streams = new MemoryStreams(InstantSource.system());
    server = SemelServer.start(settings(), ServerBackend.of(streams));
    client = client(first, Version.HTTP_2);
  }

  @AfterEach
  void stop() {
    client.shutdownNow();
    server.close();
    streams.close();
  }

  private ServerSettings settings() {
    return Served.settings().withTls(TlsSettings.of(files.certificate(), files.key()));
  }

  private static HttpClient client(TestCertificate trusted, Version version) throws Exception {
    return HttpClient.newBuilder().sslContext(trusted.trusted()).version(version).build();
  }

  private String root() {
    return "https://127.0.0.1:" + server.port() + "/v1/stream/";
  }

  private HttpRequest.Builder to(String stream) {
    return HttpRequest.newBuilder(URI.create(root() + stream)).timeout(Patience.LIMIT);
  }

  private HttpResponse<String> send(String method, String stream, String body)
      throws IOException, InterruptedException {
    return send(client, method, stream, BodyPublishers.ofString(body));
  }

  private HttpResponse<String> send(HttpClient by, String method, String stream, BodyPublisher body)
      throws IOException, InterruptedException {
    HttpRequest request =
        to(stream).header("Content-Type", "text/plain").method(method, body).build();
    return by.send(request, BodyHandlers.ofString());
  }

  private Iterator<String> events(HttpClient by, String stream) throws Exception {
    HttpResponse<Stream<String>> answer =
        by.send(to(stream + "?offset=-1&live=sse").build(), BodyHandlers.ofLines());
    assertThat(answer.statusCode()).isEqualTo(200);
    return answer.body().iterator();
  }

  private static void awaitLine(Iterator<String> lines, String text) {
    while (lines.hasNext()) {
      if (lines.next().equals("data:" + text)) {
        return;
      }
    }
    throw new AssertionError("the events ended without " + text);
  }

  @Test
  void theJdksClientAppendsAndFollowsOverHttp2AndHttp1() throws Exception {
    for (Version version : List.of(Version.HTTP_2, Version.HTTP_1_1)) {
      try (HttpClient by = client(first, version)) {
        String stream = version.name();
        HttpResponse<String> created = send(by, "PUT", stream, BodyPublishers.ofString("one"));
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(created.version()).isEqualTo(version);
        assertThat(created.headers().firstValue("Location")).contains(root() + stream);
        Iterator<String> lines = events(by, stream);
        awaitLine(lines, "one");
        // A body without a declared length.
        BodyPublisher two =
            BodyPublishers.ofInputStream(() -> new ByteArrayInputStream("two".getBytes(UTF_8)));
        assertThat(send(by, "POST", stream, two).statusCode()).isEqualTo(204);
        awaitLine(lines, "two");
        assertThat(send(by, "GET", stream, BodyPublishers.noBody()).body()).isEqualTo("onetwo");
        by.shutdownNow();
      }
    }
  }

  @Test
  void whoTrustsSomeoneElseDoesNotConnect() throws Exception {
    try (HttpClient other = client(second, Version.HTTP_2)) {
      assertThatThrownBy(() -> send(other, "PUT", "s", BodyPublishers.ofString("x")))
          .isInstanceOf(SSLHandshakeException.class);
    }
    assertThat(send("GET", "s", "").statusCode()).isEqualTo(404);
  }

  @Test
  void aChangedCertificateIsUsedForNewConnectionsAndCutsNone() throws Exception {
    send("PUT", "s", "one");
    Iterator<String> lines = events(client, "s");
    awaitLine(lines, "one");
    TlsFiles.write(second, folder);
    await()
        .until(
            () -> {
              try (HttpClient next = client(second, Version.HTTP_2)) {
                return send(next, "GET", "s", BodyPublishers.noBody()).statusCode() == 200;
              } catch (SSLHandshakeException e) {
                return false;
              }
            });
    try (HttpClient old = client(first, Version.HTTP_2)) {
      assertThatThrownBy(() -> send(old, "GET", "s", BodyPublishers.noBody()))
          .isInstanceOf(SSLHandshakeException.class);
    }
    assertThat(send("POST", "s", "two").statusCode()).isEqualTo(204);
    awaitLine(lines, "two");
  }

  @Test
  void aRefusedBodyEndsItsOwnStreamAlone() throws Exception {
    send("PUT", "s", "one");
    Iterator<String> lines = events(client, "s");
    awaitLine(lines, "one");
    int max = Served.settings().serving().maxBodyBytes();
    byte[] tooMuch = new byte[max + 1];
    assertThat(send(client, "POST", "s", BodyPublishers.ofByteArray(tooMuch)).statusCode())
        .isEqualTo(413);
    assertThat(
            send(
                    client,
                    "POST",
                    "s",
                    BodyPublishers.ofInputStream(() -> new ByteArrayInputStream(tooMuch)))
                .statusCode())
        .isEqualTo(413);
    assertThat(send("POST", "s", "two").statusCode()).isEqualTo(204);
    awaitLine(lines, "two");
  }

  @Test
  void aBodyThatStandsStillEndsItsOwnStreamAlone() throws Exception {
    server.close();
    server =
        SemelServer.start(
            settings()
                .withConnections(
                    ConnectionLimits.defaults().withMinBodyRate(100, Duration.ofMillis(500))),
            ServerBackend.of(streams));
    send("PUT", "s", "one");
    Iterator<String> lines = events(client, "s");
    awaitLine(lines, "one");
    try (SubmissionPublisher<ByteBuffer> body = new SubmissionPublisher<>()) {
      body.submit(ByteBuffer.wrap("x".getBytes(UTF_8)));
      HttpResponse<String> refused = send(client, "POST", "s", BodyPublishers.fromPublisher(body));
      assertThat(refused.statusCode()).isEqualTo(408);
      assertThat(refused.body()).contains("body-too-slow");
    }
    assertThat(send("POST", "s", "two").statusCode()).isEqualTo(204);
    awaitLine(lines, "two");
    assertThat(send("GET", "s", "").body()).isEqualTo("onetwo");
  }

  @Test
  void aServerThatRetiresLetsWhatIsUnderWayEnd() throws Exception {
    send("PUT", "s", "one");
    Iterator<String> lines = events(client, "s");
    awaitLine(lines, "one");
    server.retire();
    // The first request after it is answered, with the request to use another connection.
    for (int i = 0; i < 3; i++) {
      HttpResponse<String> answer = send("POST", "s", "more" + i);
      assertThat(answer.statusCode()).isEqualTo(204);
      assertThat(answer.version()).isEqualTo(Version.HTTP_2);
      awaitLine(lines, "more" + i);
    }
  }

  @Test
  void aStreamsFilesAreSentInFrames() throws Exception {
    server.close();
    StreamPath path = new StreamPath("long");
    byte[] message = "0123456789".repeat(100_000).getBytes(UTF_8);
    try (JournalStreams journal =
        JournalStreams.open(
            folder.resolve("j"), InstantSource.system(), JournalStreams.Settings.defaults())) {
      journal
          .create(CreateRequest.of(path, ContentType.parse("text/plain")))
          .toCompletableFuture()
          .join();
      for (int i = 0; i < 6; i++) {
        journal
            .append(path, AppendRequest.of(ContentType.parse("text/plain"), message))
            .toCompletableFuture()
            .join();
      }
      server = SemelServer.start(settings(), ServerBackend.of(journal));
      long read = 0;
      for (String offset = "-1"; ; ) {
        HttpResponse<byte[]> answer =
            client.send(to("long?offset=" + offset).build(), BodyHandlers.ofByteArray());
        assertThat(answer.statusCode()).isEqualTo(200);
        assertThat(answer.version()).isEqualTo(Version.HTTP_2);
        read += answer.body().length;
        offset = answer.headers().firstValue("Stream-Next-Offset").orElseThrow();
        if (answer.headers().firstValue("Stream-Up-To-Date").isPresent()) {
          break;
        }
      }
      assertThat(read).isEqualTo(6L * message.length);
      server.close();
    }
  }

  @Test
  void curlAppendsAndFollowsOverHttp2() throws Exception {
    List<String> curl = Curl.with("--http2", "--cacert", files.certificate().toString());
    Curl.appendAndFollow(curl, root() + "c");
    Path wrong = folder.resolve("wrong.crt");
    Files.writeString(wrong, second.certificate());
    assertThat(Curl.run(Curl.with("--cacert", wrong.toString()), root() + "c"))
        .contains("certificate");
  }

  @Test
  void nodesClientsAppendAndFollow() throws Exception {
    String script =
        """
        const http2 = require('http2'), https = require('https'), fs = require('fs');
        const ca = fs.readFileSync(process.argv[2]), root = process.argv[3];
        const url = new URL(root);
        const seen = [];
        function ask(session, method, path, body) {
          return new Promise((resolve, reject) => {
            const stream = session.request({ ':method': method, ':path': path, 'content-type': 'text/plain' });
            let status, headers, text = '';
            stream.on('response', h => { status = h[':status']; headers = h; });
            stream.on('data', d => text += d);
            stream.on('end', () => resolve({ status, headers, text }));
            stream.on('error', reject);
            stream.end(body);
          });
        }
        async function main() {
          const session = http2.connect(url.origin, { ca });
          session.on('error', e => { console.log('session ' + e.message); process.exit(1); });
          const path = url.pathname + 'n';
          console.log((await ask(session, 'PUT', path, 'one')).status);
          const reader = session.request({ ':path': path + '?offset=-1&live=sse' });
          let text = '';
          const both = new Promise(done => reader.on('data', d => { text += d; if (text.includes('data:two')) done(); }));
          console.log((await ask(session, 'POST', path, 'two')).status);
          await both;
          const refused = await ask(session, 'POST', path, Buffer.alloc(17 << 20));
          console.log(refused.status, refused.headers.connection, refused.headers['transfer-encoding']);
          console.log((await ask(session, 'GET', path)).text);
          reader.close();
          session.close();
          await new Promise((done, failed) => https.get(root + 'n', { ca }, r => {
            console.log(r.statusCode, r.httpVersion); r.resume(); r.on('end', done); }).on('error', failed));
          console.log((await (await fetch(root + 'n')).text()));
          await new Promise(done => https.get(root + 'n', { ca: fs.readFileSync(process.argv[4]) }, () => done()).on('error', e => { console.log('untrusted'); done(); }));
        }
        main().then(() => process.exit(0), e => { console.log(e); process.exit(1); });
        """;
    Path file = folder.resolve("clients.js");
    Files.writeString(file, script);
    Path wrong = folder.resolve("wrong.crt");
    Files.writeString(wrong, second.certificate());
    ProcessBuilder node =
        new ProcessBuilder(
            "node", file.toString(), files.certificate().toString(), root(), wrong.toString());
    node.environment().put("NODE_EXTRA_CA_CERTS", files.certificate().toString());
    assertThat(TestProcess.run(node).lines().toList())
        .containsExactly(
            "201", "204", "413 undefined undefined", "onetwo", "200 1.1", "onetwo", "untrusted");
  }

  @Test
  void manyRequestsAtATimeShareAConnection() throws Exception {
    send("PUT", "s", "");
    List<CompletableFuture<HttpResponse<String>>> all =
        Stream.generate(
                () ->
                    client.sendAsync(
                        to("s")
                            .header("Content-Type", "text/plain")
                            .POST(BodyPublishers.ofString("x"))
                            .build(),
                        BodyHandlers.ofString()))
            .limit(90)
            .toList();
    all.forEach(each -> assertThat(each.join().statusCode()).isEqualTo(204));
    assertThat(send("GET", "s", "").body()).isEqualTo("x".repeat(90));
  }
}
