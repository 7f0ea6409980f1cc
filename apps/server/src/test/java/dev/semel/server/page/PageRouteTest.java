package dev.semel.server.page;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.AdminTargets;
import dev.semel.idempotency.MemoryStore;
import dev.semel.junit.ProjectRoot;
import dev.semel.server.AccessRules;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
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
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's files over a socket, and the server's answer about the caller. */
class PageRouteTest {
  private static final Path SOURCES = Path.of("src/main/resources/dev/semel/server/page");

  /** Generated from the code; semel-doctest checks it. */
  private static final Path EVENTS = ProjectRoot.resolve("docs/reference/events.md");

  private static final String TOKEN = "reader-0123456789abcdef";

  @TempDir Path folder;
  private final MemoryStreams streams = new MemoryStreams(InstantSource.system());
  private final HttpClient client = HttpClient.newHttpClient();
  private SemelServer server = start(AccessRules.open(), false);

  private SemelServer start(AccessRules access, boolean readOnly) {
    return SemelServer.start(
        ServerSettings.defaults()
            .withAddress("127.0.0.1", 0)
            .withEventLoops(1)
            .withGrace(Duration.ofSeconds(1))
            .withAccess(access)
            .withReadOnly(readOnly),
        ServerBackend.of(streams)
            .withTargets(AdminTargets.of(new MemoryStore(InstantSource.system()))));
  }

  @AfterEach
  void close() {
    server.close();
    client.close();
    streams.close();
  }

  private HttpResponse<String> ask(String method, String path, String... headers)
      throws IOException, InterruptedException {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
            .method(method, BodyPublishers.noBody());
    if (headers.length > 0) {
      request.headers(headers);
    }
    return client.send(request.build(), BodyHandlers.ofString());
  }

  private static String header(HttpResponse<?> answer, String name) {
    return answer.headers().firstValue(name).orElse("");
  }

  @Test
  void pageIsAtTheRootAndLetsNobodyElseIn() throws Exception {
    HttpResponse<String> page = ask("GET", "/");
    assertThat(page.statusCode()).isEqualTo(200);
    assertThat(page.body()).contains("<title>Semel</title>").doesNotContain("style=");
    assertThat(header(page, "Content-Type")).isEqualTo("text/html; charset=utf-8");
    assertThat(header(page, "Content-Security-Policy"))
        .contains("default-src 'self'", "frame-ancestors 'none'", "base-uri 'none'")
        .doesNotContain("unsafe");
    assertThat(header(page, "X-Content-Type-Options")).isEqualTo("nosniff");
    assertThat(header(page, "Referrer-Policy")).isEqualTo("no-referrer");
    assertThat(header(page, "Cache-Control")).isEqualTo("no-cache");
  }

  @Test
  void everyFileIsListedAndHasItsType() throws Exception {
    try (Stream<Path> found = Files.list(SOURCES)) {
      assertThat(found.map(file -> file.getFileName().toString()).toList())
          .containsExactlyInAnyOrderElementsOf(PageRoute.FILES);
    }
    Map<String, String> types =
        Map.of("js", "text/javascript", "css", "text/css", "svg", "image/svg+xml");
    for (String name : List.of("app.js", "vendor.js", "style.css", "mark.svg")) {
      HttpResponse<String> file = ask("GET", "/page/" + name);
      assertThat(file.statusCode()).isEqualTo(200);
      assertThat(header(file, "Content-Type"))
          .startsWith(types.get(name.substring(name.lastIndexOf('.') + 1)));
      assertThat(file.body()).isEqualTo(Files.readString(SOURCES.resolve(name)));
    }
  }

  @Test
  void whoHasAFileAlreadyIsToldSo() throws Exception {
    String tag = header(ask("GET", "/page/app.js"), "ETag");
    assertThat(tag).startsWith("\"").endsWith("\"");
    for (String known : List.of(tag, "\"other\", " + tag, "W/" + tag, "*")) {
      HttpResponse<String> again = ask("GET", "/page/app.js", "If-None-Match", known);
      assertThat(again.statusCode()).isEqualTo(304);
      assertThat(again.body()).isEmpty();
      assertThat(header(again, "ETag")).isEqualTo(tag);
    }
    assertThat(ask("GET", "/page/app.js", "If-None-Match", "\"other\"").statusCode())
        .isEqualTo(200);
  }

  @Test
  void headTellsTheLengthAndOtherMethodsAreRefused() throws Exception {
    HttpResponse<String> head = ask("HEAD", "/page/vendor.js");
    assertThat(head.statusCode()).isEqualTo(200);
    assertThat(header(head, "Content-Length"))
        .isEqualTo(Long.toString(Files.size(SOURCES.resolve("vendor.js"))));
    assertThat(head.body()).isEmpty();
    for (String method : List.of("POST", "PUT", "DELETE")) {
      HttpResponse<String> refused = ask(method, "/");
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(header(refused, "Allow")).isEqualTo("GET, HEAD");
    }
  }

  @Test
  void nothingElseCanBeReached() throws Exception {
    for (String path :
        List.of(
            "/page/",
            "/page/nothing.js",
            "/page/../page/app.js",
            "/page/%2e%2e/Page.class",
            "/page/..%2f..%2fSemelServer.class",
            "/page//app.js",
            "/page/Page.class",
            "/page/app.js/",
            "/index.html")) {
      assertThat(raw(path)).as(path).startsWith("HTTP/1.1 404 ");
    }
  }

  /** The page lists the names of kinds too, because the API does not return them. */
  @Test
  void everyKindOfEventCanBeChosen() throws IOException {
    String views = Files.readString(SOURCES.resolve("watch.js"));
    String listed = found("(?s)(?<=const KINDS = \\[).*?(?=];)", views).getFirst();
    assertThat(found("(?<=\")[a-z-]+(?=\")", listed))
        .containsExactlyInAnyOrderElementsOf(
            found("(?m)(?<=^\\| `)[a-z-]+(?=` \\|)", Files.readString(EVENTS)));
  }

  private static List<String> found(String regex, String text) {
    return Pattern.compile(regex).matcher(text).results().map(MatchResult::group).toList();
  }

  /** Sends the path unchanged: a client would normalize it. */
  private String raw(String path) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      OutputStream out = socket.getOutputStream();
      out.write(
          ("GET " + path + " HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")
              .getBytes(StandardCharsets.US_ASCII));
      out.flush();
      InputStream in = socket.getInputStream();
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void whoAsksIsToldWhatItMayDo() throws Exception {
    assertThat(ask("GET", "/api/v1/whoami").body())
        .isEqualTo("{\"name\":\"loopback\",\"role\":\"admin\"}");

    server.close();
    server = start(AccessRules.open(), true);
    assertThat(ask("GET", "/api/v1/whoami").body()).contains("\"role\":\"read\"");

    server.close();
    Path tokens = folder.resolve("tokens");
    Files.writeString(tokens, TOKEN + " read\n" + TOKEN + "2 admin\n");
    server = start(AccessRules.parse(tokens), false);
    assertThat(ask("GET", "/").statusCode()).isEqualTo(200);
    assertThat(ask("GET", "/api/v1/whoami").statusCode()).isEqualTo(401);
    assertThat(ask("GET", "/api/v1/whoami", "Authorization", "Bearer " + TOKEN).body())
        .contains("\"role\":\"read\"")
        .doesNotContain(TOKEN);
    assertThat(ask("GET", "/api/v1/whoami", "Authorization", "Bearer " + TOKEN + "2").body())
        .contains("\"role\":\"admin\"");
  }
}
