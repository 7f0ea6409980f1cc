package dev.semel.server;

import static dev.semel.server.Served.TEXT;
import static dev.semel.server.Served.header;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.stream.MemoryStreams;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Quotas of tokens, beside their rights. */
@Tag("service")
class TokenQuotasTest {
  private static final String TENANT = "tenant-0123456789abcdef";
  private static final String ADMIN = "admin-0123456789abcdef0";

  @TempDir Path folder;

  private AccessRules access(String... lines) throws IOException {
    Path file = folder.resolve("tokens");
    Files.write(file, List.of(lines));
    return AccessRules.parse(file);
  }

  private static HttpResponse<String> append(
      Served served, String token, String stream, int bytes, String... more) {
    String[] headers = new String[more.length + 2];
    headers[0] = "Authorization";
    headers[1] = "Bearer " + token;
    System.arraycopy(more, 0, headers, 2, more.length);
    return served.post(stream, TEXT, "x".repeat(bytes), headers);
  }

  private static HttpResponse<String> send(
      Served served, String method, String token, String path) {
    return served.send(method, path, "", "Authorization", "Bearer " + token, "Content-Type", TEXT);
  }

  @Test
  void storedBytesBeyondTheQuotaAreRefusedAndCountedAnewAtTheStart() throws Exception {
    MemoryStreams streams = new MemoryStreams(InstantSource.system());
    ServerSettings settings =
        Served.settings().withAccess(access(TENANT + " read,append t bytes=1k", ADMIN + " admin"));
    Served served = Served.with(settings, streams);
    try (SemelServer server = served.server) {
      try (RawClient bare = new RawClient(server.port())) {
        bare.send(
            "PUT /v1/stream/t/one HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/plain\r\nAuthorization: Bearer %s\r\n\r\n"
                .formatted(TENANT));
        assertThat(bare.line()).contains("201");
      }
      assertThat(append(served, TENANT, "t/one", 600).statusCode()).isEqualTo(204);
      HttpResponse<String> refused = append(served, TENANT, "t/one", 600);
      assertThat(refused.statusCode()).isEqualTo(507);
      assertThat(refused.body()).contains("stored-bytes-quota", "1024");
      assertThat(append(served, TENANT, "t/one", 300).statusCode()).isEqualTo(204);
      // A duplicate, and an append to a missing stream, store nothing and so do not count.
      String[] producer = {"Producer-Id", "p", "Producer-Epoch", "0", "Producer-Seq", "0"};
      assertThat(append(served, TENANT, "t/one", 50, producer).statusCode()).isEqualTo(200);
      assertThat(append(served, TENANT, "t/one", 50, producer).statusCode()).isEqualTo(204);
      assertThat(append(served, TENANT, "t/nowhere", 50).statusCode()).isEqualTo(404);
      assertThat(append(served, TENANT, "t/one", 74).statusCode()).isEqualTo(204);
      assertThat(append(served, TENANT, "t/one", 1).statusCode()).isEqualTo(507);
      // Other tokens have separate quotas.
      send(served, "PUT", ADMIN, "/v1/stream/other");
      assertThat(append(served, ADMIN, "other", 5000).statusCode()).isEqualTo(204);
      String shown = send(served, "GET", ADMIN, "/api/v1/quotas").body();
      assertThat(shown)
          .contains("\"stored_bytes\":{\"used\":1024,\"limit\":1024}", "\"prefixes\":[\"t\"]")
          .doesNotContain(TENANT);
      assertThat(send(served, "GET", TENANT, "/api/v1/quotas").statusCode()).isEqualTo(403);
    }
    try (Served again = Served.with(settings, streams)) {
      assertThat(append(again, TENANT, "t/one", 1).statusCode()).isEqualTo(507);
      assertThat(send(again, "DELETE", ADMIN, "/v1/stream/t/one").statusCode()).isEqualTo(204);
    }
  }

  @Test
  void connectionsBeyondTheQuotaAreRefusedUntilOneIsClosed() throws Exception {
    try (Served served =
        Served.with(
            Served.settings()
                .withAccess(access(TENANT + " read t connections=2", ADMIN + " admin")))) {
      int port = served.server.port();
      try (RawClient first = new RawClient(port);
          RawClient third = new RawClient(port)) {
        RawClient second = new RawClient(port);
        assertThat(status(first, TENANT)).contains("404");
        assertThat(status(second, TENANT)).contains("404");
        third.send(request(TENANT));
        assertThat(third.rest()).contains("429", "connections-quota", "2 open", "close");
        assertThat(header(send(served, "GET", ADMIN, "/api/v1/quotas"), "Content-Type"))
            .isEqualTo("application/json");
        second.close();
        await()
            .until(
                () ->
                    send(served, "GET", ADMIN, "/api/v1/quotas")
                        .body()
                        .contains("\"connections\":{\"used\":1,\"limit\":2}"));
        try (RawClient fourth = new RawClient(port)) {
          assertThat(status(fourth, TENANT)).contains("404");
        }
      }
    }
  }

  @Test
  void aConnectionWithTwoTokensCountsForBothUntilItIsClosed() throws Exception {
    String other = "other-0123456789abcdef";
    try (Served served =
        Served.with(
            Served.settings()
                .withAccess(
                    access(
                        TENANT + " read t connections=1",
                        other + " read t connections=1",
                        ADMIN + " admin")))) {
      try (RawClient both = new RawClient(served.server.port())) {
        for (String token : List.of(TENANT, other)) {
          both.send("HEAD" + request(token).substring("GET".length()));
          assertThat(both.line()).contains("404");
          String line = both.line();
          while (!line.isEmpty()) {
            line = both.line();
          }
        }
        assertThat(quotas(served)).containsPattern("(?s)\"used\":1.*\"used\":1");
      }
      await().until(() -> !quotas(served).contains("\"used\":1"));
    }
  }

  private static String quotas(Served served) {
    return send(served, "GET", ADMIN, "/api/v1/quotas").body();
  }

  private static String request(String token) {
    return "GET /v1/stream/t/none HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n\r\n"
        .formatted(token);
  }

  private static String status(RawClient client, String token) throws IOException {
    assertThat(client.send(request(token))).isTrue();
    return client.line();
  }

  @Test
  void whatIsNoQuotaIsRefusedAndOldFilesAreRead() throws Exception {
    for (String bad :
        new String[] {
          "bytes=",
          "bytes=x",
          "bytes=0",
          "connections=-1",
          "connections=5g",
          "bytes=99999999999999t"
        }) {
      assertThatThrownBy(() -> access(TENANT + " read t " + bad))
          .as(bad)
          .isInstanceOf(InvalidInput.class)
          .hasMessageNotContaining(TENANT);
    }
    assertThat(access(TENANT, ADMIN + " admin", TENANT + " read p # c").accounts()).isEmpty();
    // On any line, also on one with nothing but a token.
    List<TokenAccount> accounts =
        access(
                TENANT + " read a",
                TENANT + " append b bytes=2m",
                TENANT + " append b/c connections=7")
            .accounts();
    assertThat(new TokenQuotas(accounts).of(TENANT)).isSameAs(accounts.getFirst());
    assertThat(new TokenQuotas(accounts).of(ADMIN)).isNull();
    assertThat(accounts.getFirst().quota()).isEqualTo(new TokenQuota(7, 2 << 20));
    assertThat(accounts.getFirst().prefixes()).containsExactly("b");
    assertThat(access(TENANT + " bytes=1g").accounts()).hasSize(1);
  }
}
