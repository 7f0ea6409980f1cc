package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Members of answers are in snake case, as docs/admin-api.md promises. */
class JsonStyleTest {
  /** Older spellings, which stay beside the newer ones for one version. */
  private static final Map<String, String> OLDER =
      Map.of(
          "contentType", "content_type",
          "ttlSeconds", "ttl_seconds",
          "expiresAt", "expires_at",
          "forkedFrom", "forked_from",
          "lastSeq", "last_seq",
          "lastUsed", "last_used");

  /** Answers in another format, or without an end. */
  private static final Set<String> OTHERS =
      Set.of("/api/v1/openapi.json", "/api/v1/events", "/api/v1/export");

  @Test
  void membersAreInSnakeCase() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay-ments", "1", "1", "2");
      served.send("PUT", "/v1/stream/a", "", "Content-Type", "text/plain", "Stream-TTL", "1000");
      served.send("PUT", "/v1/stream/b", "", "Stream-Forked-From", "/v1/stream/a");
      served.send("PUT", "/v1/stream/c", "", "Stream-Expires-At", "2099-01-31T10:00:00Z");
      served.send(
          "POST",
          "/v1/stream/a",
          "x",
          "Content-Type",
          "text/plain",
          "Producer-Id",
          "p",
          "Producer-Epoch",
          "0",
          "Producer-Seq",
          "0");
      JsonObject paths =
          (JsonObject)
              Administered.json(served.get("/api/v1/openapi.json")).get("paths").orElseThrow();
      List<String> wrong = new ArrayList<>();
      int answers = 0;
      for (Map.Entry<String, JsonValue> path : paths.members().entrySet()) {
        if (((JsonObject) path.getValue()).get("get").isEmpty() || OTHERS.contains(path.getKey())) {
          continue;
        }
        String address =
            path.getKey()
                .replace("{key}", "default%2Fpay-ments:1")
                .replace("{name}", "pay-ments")
                .replace("{id}", "1")
                .replace("producers", "producers?stream=a");
        HttpResponse<String> answer = served.get(address);
        answers += answer.statusCode() == 200 ? 1 : 0;
        collect(address, Json.parse(answer.body()), wrong);
      }
      assertThat(wrong).isEmpty();
      assertThat(answers).isGreaterThan(10);
    }
  }

  private static void collect(String at, JsonValue value, List<String> wrong) {
    if (value instanceof JsonArray array) {
      array.items().forEach(each -> collect(at, each, wrong));
    } else if (value instanceof JsonObject object) {
      object
          .members()
          .forEach(
              (name, member) -> {
                boolean older =
                    OLDER.containsKey(name)
                        && object.get(OLDER.get(name)).filter(member::equals).isPresent();
                if (!name.matches("[a-z0-9]+(_[a-z0-9]+)*") && !older) {
                  wrong.add(at + ": " + name);
                }
                collect(at + "/" + name, member, wrong);
              });
    }
  }
}
