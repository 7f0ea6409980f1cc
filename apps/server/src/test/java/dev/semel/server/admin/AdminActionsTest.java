package dev.semel.server.admin;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.DocumentSchema;
import dev.semel.admin.document.internal.ExportTable;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.server.AccessRules;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The server's parameters, answers and description match each described action. */
class AdminActionsTest {
  private static final String ADMIN = "admin-token-0123456789";
  private static final String READER = "reader-token-0123456789";
  private static final Pattern CALL =
      Pattern.compile(
          "(?<![.\\w])(?:(?<get>get|address)\\(|change\\(\"(?<method>[A-Z]+)\", )\"(?<path>[^\"]+)\"(?<name> \\+)?");

  /** Older spellings, which stay beside the newer ones for one version. */
  private static final Pattern CAMEL_CASE =
      Pattern.compile(".*\\.[a-z]+[A-Z]\\w* is not described");

  @TempDir Path folder;

  private static String address(AdminAction action) {
    return AdminAction.ROOT + action.path().replaceAll("\\{\\w+}", "default%2Fpay%3Aa");
  }

  private static JsonObject object(JsonObject in, String name) {
    return (JsonObject) in.get(name).orElseThrow();
  }

  @Test
  void openApiDescribesEveryActionWithItsParametersAndItsAnswer() {
    try (Administered served = Administered.start()) {
      JsonObject described = Administered.json(served.get("/api/v1/openapi.json"));
      JsonObject schemas = object(object(described, "components"), "schemas");
      for (AdminAction action : AdminAction.values()) {
        JsonObject operation =
            object(
                object(object(described, "paths"), AdminAction.ROOT + action.path()),
                action.method().toLowerCase(Locale.ROOT));
        assertThat(operation.get("x-semel-right"))
            .contains(JsonValue.of(action.needsAdmin() ? "admin" : "read"));
        assertThat(operation.get("x-semel-destructive"))
            .contains(JsonValue.of(action.effect() == AdminAction.Effect.DESTROYS));
        assertThat(parameters(operation))
            .as("%s", action)
            .containsExactlyElementsOf(
                action.parameters().stream().map(ActionParameter::name).toList());
        assertThat(Json.write(object(operation, "responses")))
            .contains("\"#/components/schemas/" + action.answer().name() + "\"");
        assertDescribed(action.answer(), schemas);
      }
    }
  }

  private static List<String> parameters(JsonObject operation) {
    if (operation.get("requestBody").isPresent()) {
      JsonObject content = object(object(operation, "requestBody"), "content");
      JsonObject schema = object(object(content, "application/json"), "schema");
      return List.copyOf(object(schema, "properties").members().keySet());
    }
    return ((JsonArray) operation.get("parameters").orElseThrow())
        .items().stream()
            .map(JsonObject.class::cast)
            .filter(each -> !each.get("in").equals(java.util.Optional.of(JsonValue.of("path"))))
            .map(each -> ((JsonString) each.get("name").orElseThrow()).text())
            .toList();
  }

  /** Two schemas of one name would hide each other. */
  private static void assertDescribed(DocumentSchema schema, JsonObject schemas) {
    assertThat(object(object(schemas, schema.name()), "properties").members().keySet())
        .as(schema.name())
        .containsExactlyElementsOf(schema.names());
    schema.members().forEach(each -> each.of().ifPresent(below -> assertDescribed(below, schemas)));
  }

  @Test
  void onlyParametersThatAreDescribedAreTaken() {
    try (Administered served = Administered.start()) {
      for (AdminAction action : AdminAction.values()) {
        if (AdminApi.ELSEWHERE.contains(action)) {
          continue; // routes of streams ignore unknown parameters
        }
        HttpResponse<String> refused =
            served.send(action.method(), address(action) + "?no_such=1", "");
        assertThat(refused.statusCode()).as("%s", action).isEqualTo(400);
        assertThat(refused.body()).contains("there is no parameter");
      }
    }
  }

  @Test
  void rightsAreThoseThatAreDescribed() throws IOException {
    Path file = Files.write(folder.resolve("tokens"), List.of(ADMIN, READER + " read"));
    try (Administered served =
        Administered.with(Administered.settings().withAccess(AccessRules.parse(file)))) {
      for (AdminAction action : AdminAction.values()) {
        if (action == AdminAction.EVENTS) {
          continue; // endless answer
        }
        HttpResponse<String> answer =
            served.send(
                action.method(),
                address(action),
                action == AdminAction.PRODUCERS_FENCE
                    ? "{\"stream\":\"a\",\"id\":\"p\",\"epoch\":1}"
                    : "",
                "Authorization",
                "Bearer " + READER);
        assertThat(answer.statusCode() == 403).as("%s", action).isEqualTo(action.needsAdmin());
      }
    }
  }

  /** The tests of the command cover answers of an outbox, an inbox and jobs. */
  @Test
  void answersAreAsTheyAreDescribed() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "a", "b");
      served.send("PUT", "/v1/stream/orders?", "", "Content-Type", "application/json");
      served.send(
          "POST",
          "/v1/stream/orders",
          "[1]",
          "Content-Type",
          "application/json",
          "Producer-Id",
          "p",
          "Producer-Epoch",
          "0",
          "Producer-Seq",
          "0");
      for (AdminAction action : AdminAction.values()) {
        if (action.method().equals("GET") && action != AdminAction.EVENTS) {
          String query = action == AdminAction.PRODUCERS_LIST ? "?stream=orders" : "";
          assertAnswer(action, served.get(address(action) + query));
        }
      }
      assertAnswer(
          AdminAction.PRODUCERS_FENCE,
          served.send(
              "POST",
              address(AdminAction.PRODUCERS_FENCE),
              "{\"stream\":\"orders\",\"id\":\"p\",\"epoch\":1}"));
      assertAnswer(
          AdminAction.QUEUES_SET,
          served.send(
              "PUT", "/api/v1/queues/pay", "{\"settings\":{\"retention\":\"7d\",\"wait\":null}}"));
      assertAnswer(
          AdminAction.KEYS_RELEASE, served.send("POST", address(AdminAction.KEYS_RELEASE), ""));
      assertAnswer(
          AdminAction.KEYS_DELETE, served.send("DELETE", address(AdminAction.KEYS_DELETE), ""));
      for (AdminAction action : AdminAction.values()) {
        boolean store = Set.of("stats/reset", "keys", "cleanup").contains(action.path());
        if (store && action.parameter("dry_run").isPresent()) {
          String path = address(action) + "?dry_run=true";
          HttpResponse<String> counted = served.send(action.method(), path, "");
          assertAnswer(action, counted);
          String count = Json.write(Administered.json(counted).get("count").orElseThrow());
          assertAnswer(
              action, served.send(action.method(), address(action) + "?expect=" + count, ""));
        }
      }
    }
  }

  private static void assertAnswer(AdminAction action, HttpResponse<String> answer) {
    if (answer.statusCode() == 404
        && Stream.of("--database", "--store").anyMatch(answer.body()::contains)) {
      return; // not configured here
    }
    assertThat(answer.statusCode()).as("%s: %s", action, answer.body()).isEqualTo(200);
    for (String document :
        action == AdminAction.EXPORT ? answer.body().lines().toList() : List.of(answer.body())) {
      List<String> differences = action.answer().differences(Json.parse(document));
      assertThat(differences)
          .as("%s: %s", action, document)
          .allMatch(each -> CAMEL_CASE.matcher(each).matches());
    }
  }

  @Test
  void rowsOfAnExportAreThoseOfTheTable() throws IOException {
    try (Administered served = Administered.start()) {
      served.run("pay", "a");
      for (ExportTable table : ExportTable.values()) {
        List<String> lines =
            served
                .get("/api/v1/export?format=csv&what=" + table.name().toLowerCase(Locale.ROOT))
                .body()
                .lines()
                .toList();
        assertThat(lines.getFirst() + "\r\n").isEqualTo(table.heading());
        assertThat(lines).as("%s", table).hasSizeGreaterThan(1);
        assertThat(lines).as("%s", table).noneMatch(line -> line.matches(".*,,,,,,,.*"));
      }
    }
  }

  /** The page calls these addresses too. */
  @Test
  void thePageAsksForActionsThatThereAre() throws IOException {
    Set<String> asked = new TreeSet<>();
    for (String script :
        List.of(
            "api",
            "jobs",
            "keys",
            "live",
            "messages",
            "overview",
            "settings",
            "streams",
            "watch")) {
      CALL.matcher(script(script))
          .results()
          .forEach(
              found -> {
                boolean named = found.group("name") != null;
                asked.add(
                    (found.group("get") != null ? "GET" : found.group("method"))
                        + " "
                        + found.group("path")
                        + (named ? "*" : ""));
              });
    }
    assertThat(asked).hasSizeGreaterThan(20);
    Set<String> known = new TreeSet<>();
    Stream.of(AdminAction.values())
        .forEach(each -> known.add(each.method() + " " + each.path().replaceAll("\\{\\w+}$", "*")));
    assertThat(known).containsAll(asked);
  }

  private static String script(String name) throws IOException {
    try (InputStream in =
        AdminApi.class.getResourceAsStream("/dev/semel/server/page/" + name + ".js")) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
