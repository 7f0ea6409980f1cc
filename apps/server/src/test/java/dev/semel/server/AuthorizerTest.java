package dev.semel.server;

import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access: which callers may do what. */
@Tag("service")
class AuthorizerTest {
  @Nested
  class WithoutTokens {
    @Test
    void foreignPagesChangeNothingAndOwnOnesMay() {
      try (Served served = Served.start()) {
        String own = "http://127.0.0.1:" + served.server.port();
        for (String foreign : new String[] {"https://evil.example", "null", "http://127.0.0.1:1"}) {
          HttpResponse<String> refused =
              served.send("PUT", "/v1/stream/a", "x", "Origin", foreign, "Content-Type", TEXT);
          assertThat(refused.statusCode()).as(foreign).isEqualTo(403);
          assertThat(header(refused, "Access-Control-Allow-Origin")).isEmpty();
        }
        assertThat(served.get("/v1/stream/a").statusCode()).isEqualTo(404);
        assertThat(served.send("PUT", "/v1/stream/a", "x", "Origin", own).statusCode())
            .isEqualTo(201);
        assertThat(
                served
                    .send("DELETE", "/v1/stream/a", "", "Origin", "https://evil.example")
                    .statusCode())
            .isEqualTo(403);
        assertThat(
                served
                    .send(
                        "POST",
                        "/api/v1/producers/fence",
                        "{\"stream\":\"a\",\"id\":\"p\",\"epoch\":1}",
                        "Origin",
                        "https://evil.example")
                    .statusCode())
            .isEqualTo(403);
      }
    }

    @Test
    void pagesThatAreAllowedMayAndAreTold() {
      String page = "http://localhost:3000";
      try (Served served = Served.with(Served.settings().withOrigins(Set.of(page)))) {
        HttpResponse<String> created = served.send("PUT", "/v1/stream/a", "x", "Origin", page);
        assertThat(created.statusCode()).isEqualTo(201);
        assertThat(header(created, "Access-Control-Allow-Origin")).isEqualTo(page);
        assertThat(header(created, "Vary")).isEqualTo("Origin");
      }
    }

    /** DNS rebinding: a page's name can lead here, but its requests carry that name. */
    @Test
    void anotherHostsNameIsRefused() throws IOException {
      try (Served served = Served.start();
          RawClient client = new RawClient(served.server.port())) {
        served.put("a", TEXT, "x");
        client.send("GET /v1/stream/a HTTP/1.1\r\nHost: evil.example\r\n\r\n");
        assertThat(client.line()).contains(" 403 ");
      }
    }

    /** With an absolute address in place of the path, as a proxy gets it. */
    @Test
    void addressesOfOtherServersAreRefused() throws IOException {
      try (Served served = Served.start()) {
        assertThat(status(served, "http://evil.example/healthz", "evil.example")).contains(" 421 ");
        assertThat(status(served, "http://evil.example/healthz", "localhost")).contains(" 400 ");
        assertThat(status(served, "http://localhost/healthz", "evil.example")).contains(" 400 ");
        assertThat(status(served, "http://localhost@evil.example/", "localhost@evil.example"))
            .contains(" 421 ");
        assertThat(status(served, "http://localhost:1/healthz", "LOCALHOST:1")).contains(" 200 ");
        assertThat(status(served, "http://127.0.0.1/healthz", "127.0.0.1")).contains(" 200 ");
      }
      try (Served known =
          Served.with(Served.settings().withPublicUrl("https://streams.example:8443"))) {
        assertThat(status(known, "http://streams.example/healthz", "streams.example"))
            .contains(" 200 ");
      }
    }

    private static String status(Served served, String address, String host) throws IOException {
      try (RawClient client = new RawClient(served.server.port())) {
        client.send("GET %s HTTP/1.1\r\nHost: %s\r\n\r\n".formatted(address, host));
        return client.line();
      }
    }

    @Test
    void noOtherAddressIsListenedOn() {
      for (String host : new String[] {"0.0.0.0", "::", "192.0.2.1"}) {
        assertThatThrownBy(
                () ->
                    SemelServer.start(
                        Served.settings().withAddress(host, 0),
                        ServerBackend.of(new MemoryStreams(InstantSource.system()))))
            .isInstanceOf(InvalidInput.class)
            .hasMessageContaining("token");
      }
    }
  }

  @Nested
  class WithTokens {
    private static final String ADMIN = "admin-token-0123456789";
    private static final String READER = "reader-token-0123456789";
    private static final String WRITER = "writer-token-0123456789";

    @TempDir Path folder;

    private Served start() throws IOException {
      Path file =
          Files.writeString(
              folder.resolve("tokens"),
              "%s\n%s read orders\n%s append orders\n".formatted(ADMIN, READER, WRITER));
      return Served.with(Served.settings().withAccess(AccessRules.parse(file)));
    }

    private static int status(
        Served served, String method, String path, String token, String... more) {
      String[] headers = new String[more.length + 4];
      headers[0] = "Authorization";
      headers[1] = "Bearer " + token;
      headers[2] = "Content-Type";
      headers[3] = TEXT;
      System.arraycopy(more, 0, headers, 4, more.length);
      String body = method.equals("POST") || method.equals("PUT") ? "x" : "";
      return served.send(method, path, body, headers).statusCode();
    }

    @Test
    void eachMethodNeedsItsRight() throws IOException {
      try (Served served = start()) {
        String orders = "/v1/stream/orders/1";
        assertThat(status(served, "PUT", orders, READER)).isEqualTo(403);
        assertThat(status(served, "PUT", orders, WRITER)).isEqualTo(201);
        assertThat(status(served, "POST", orders, WRITER)).isEqualTo(204);
        assertThat(status(served, "GET", orders, WRITER)).isEqualTo(403);
        assertThat(status(served, "GET", orders, READER)).isEqualTo(200);
        assertThat(status(served, "HEAD", orders, READER)).isEqualTo(200);
        assertThat(status(served, "DELETE", orders, WRITER)).isEqualTo(403);
        assertThat(status(served, "PUT", "/v1/stream/other", WRITER)).isEqualTo(403);
        assertThat(status(served, "GET", "/api/v1/streams", READER)).isEqualTo(403);
        assertThat(status(served, "GET", "/api/v1/streams?prefix=orders/", READER)).isEqualTo(200);
        assertThat(status(served, "GET", "/api/v1/streams?prefix=orders", READER)).isEqualTo(403);
        assertThat(status(served, "GET", "/api/v1/producers?stream=orders/1", READER))
            .isEqualTo(200);
        assertThat(status(served, "DELETE", orders, ADMIN)).isEqualTo(204);
      }
    }

    /** Otherwise a writer could read anything by forking it to where it may read. */
    @Test
    void whoForksMustBeAllowedToReadTheSource() throws IOException {
      try (Served served = start()) {
        status(served, "PUT", "/v1/stream/secret", ADMIN);
        String[] fork = {"Stream-Forked-From", "/v1/stream/secret"};
        assertThat(status(served, "PUT", "/v1/stream/orders/f", WRITER, fork)).isEqualTo(403);
        assertThat(status(served, "PUT", "/v1/stream/orders/f", ADMIN, fork)).isEqualTo(201);
      }
    }

    @Test
    void whoHasNoneOrAnUnknownOneIsAskedForIt() throws IOException {
      try (Served served = start()) {
        for (HttpResponse<String> refused :
            List.of(
                served.get("/v1/stream/orders/1"),
                served.get("/v1/stream/orders/1", "Authorization", "Bearer wrong"),
                served.get("/v1/stream/orders/1", "Authorization", "Basic " + ADMIN),
                served.get("/v1/stream/__ds/subscriptions/a"),
                served.send("PUT", "/v1/stream/__ds/subscriptions/callback", "{}"),
                served.send("DELETE", "/v1/stream/__ds/subscriptions/a/streams/ack", ""),
                served.get("/api/v1/streams"))) {
          assertThat(refused.statusCode()).isEqualTo(401);
          assertThat(header(refused, "WWW-Authenticate")).startsWith("Bearer");
          assertThat(refused.body()).doesNotContain("wrong", ADMIN);
        }
        assertThat(served.get("/healthz").statusCode()).isEqualTo(200);
        assertThat(served.get("/v1/stream/__ds/jwks.json").statusCode()).isEqualTo(200);
      }
    }

    @Test
    void anyPageMayTryWithAToken() throws IOException {
      try (Served served = start()) {
        String[] page = {"Origin", "https://app.example"};
        assertThat(status(served, "PUT", "/v1/stream/a", ADMIN, page)).isEqualTo(201);
        assertThat(header(served.get("/v1/stream/a", page), "Access-Control-Allow-Origin"))
            .isEqualTo("*");
      }
    }
  }

  @Test
  void aReadOnlyServerOnlyReads() {
    MemoryStreams streams = new MemoryStreams(InstantSource.system());
    try (Served served = Served.with(Served.settings().withReadOnly(true), streams)) {
      for (String method : new String[] {"PUT", "POST", "DELETE"}) {
        HttpResponse<String> refused = served.send(method, "/v1/stream/a", "");
        assertThat(refused.statusCode()).isEqualTo(405);
        assertThat(header(refused, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
      }
      assertThat(served.get("/v1/stream/a").statusCode()).isEqualTo(404);
      assertThat(served.send("OPTIONS", "/v1/stream/a", "").statusCode()).isEqualTo(204);
    }
  }
}
