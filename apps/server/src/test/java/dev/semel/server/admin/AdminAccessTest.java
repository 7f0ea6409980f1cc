package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.event.EventLine;
import dev.semel.server.AccessRules;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Rights to see and to change, and the event log of changes. */
class AdminAccessTest {
  private static final String ADMIN = "admin-token-0123456789";
  private static final String READER = "reader-token-0123456789";
  private static final String PART = "part-token-0123456789ab";
  private static final String KEY = "/api/v1/keys/default%2Fpay%3Aa";

  @TempDir Path folder;

  private Administered withTokens() throws IOException {
    Path file =
        Files.write(
            folder.resolve("tokens"), List.of(ADMIN, READER + " read", PART + " admin orders"));
    return Administered.with(Administered.settings().withAccess(AccessRules.parse(file)));
  }

  private static String[] bearer(String token) {
    return new String[] {"Authorization", "Bearer " + token};
  }

  private static void refused(HttpResponse<String> response, int status) {
    assertThat(response.statusCode()).as(response.body()).isEqualTo(status);
    assertThat(response.headers().firstValue("Content-Type")).contains("application/problem+json");
    assertThat(response.body()).doesNotContain("token-0123456789");
  }

  @Test
  void whoShowsNoTokenIsToldToAndSeesNothing() throws IOException {
    try (Administered served = withTokens()) {
      for (String path : List.of("stats", "keys", "audit", "events", "config", "export")) {
        refused(served.get("/api/v1/" + path), 401);
        refused(served.get("/api/v1/" + path, bearer("wrong-token-0123456789")), 401);
      }
      refused(served.send("DELETE", KEY, ""), 401);
    }
  }

  @Test
  void readersSeeAndChangeNothing() throws IOException {
    try (Administered served = withTokens()) {
      served.run("pay", "a");
      assertThat(served.get(KEY, bearer(READER)).statusCode()).isEqualTo(200);
      assertThat(served.get("/api/v1/stats", bearer(READER)).statusCode()).isEqualTo(200);
      refused(served.send("DELETE", KEY, "", bearer(READER)), 403);
      refused(served.send("POST", KEY + "/release", "", bearer(READER)), 403);
      refused(served.send("PUT", "/api/v1/queues/pay", "{\"settings\":{}}", bearer(READER)), 403);
      refused(served.send("POST", "/api/v1/cleanup", "", bearer(READER)), 403);
      for (String payload :
          List.of(
              KEY + "/payload",
              "/api/v1/outbox/events/a/payload?destination=orders",
              "/api/v1/inbox/events/a/payload?consumer=stock")) {
        refused(served.get(payload, bearer(READER)), 403);
      }
      for (String retry : List.of("outbox/retry", "inbox/retry", "jobs/retry")) {
        refused(served.send("POST", "/api/v1/" + retry, "{\"payload\":\"\"}", bearer(READER)), 403);
      }
      assertThat(served.get(KEY, bearer(READER)).body()).contains("\"completed\"");
    }
  }

  @Test
  void tokenForSomeStreamsIsNoneForTheStore() throws IOException {
    try (Administered served = withTokens()) {
      refused(served.get("/api/v1/keys", bearer(PART)), 403);
    }
  }

  @Test
  void changesAreWrittenDownInTheTokensNameWhichIsNotTheToken() throws IOException {
    try (Administered served = withTokens()) {
      served.run("pay", "a");
      assertThat(served.send("DELETE", KEY, "", bearer(ADMIN)).statusCode()).isEqualTo(200);
      EventLine last = served.store.events().latest(1).getFirst();
      assertThat(last.kind()).isEqualTo("changed");
      assertThat(last.personal().more()).matches(".*\"actor\":\"token [0-9a-f]{8}\".*");
      assertThat(last.personal().more()).doesNotContain(ADMIN);
    }
  }

  @Test
  void withoutTokensThisMachineMayDoAllAndForeignPagesNothing() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "a");
      refused(served.send("DELETE", KEY, "", "Origin", "http://evil.example"), 403);
      assertThat(served.send("DELETE", KEY, "").statusCode()).isEqualTo(200);
      assertThat(served.store.events().latest(1).getFirst().personal().more())
          .contains("\"actor\":\"loopback\"");
    }
  }

  @Test
  void readOnlyServerChangesNothingForAnyone() throws IOException {
    try (Administered served = Administered.with(Administered.settings().withReadOnly(true))) {
      served.run("pay", "a");
      refused(served.send("DELETE", KEY, ""), 405);
      refused(served.send("POST", "/api/v1/stats/reset?expect=1", ""), 405);
      assertThat(served.get(KEY).statusCode()).isEqualTo(200);
    }
  }
}
