package dev.semel.cli.keys;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Records;
import dev.semel.cli.run.RunCodec;
import dev.semel.idempotency.Payload;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class KeysCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
  }

  private void claimed(String operation, String id, Duration ago) {
    Token unused = Records.claimed(cli.database(), Key.of(operation, id), ago);
  }

  @Nested
  class Listing {
    @Test
    void anEmptyStoreListsNothing() {
      assertThat(cli.call("keys", "list", "-o", "json").out())
          .isEqualTo("{\"keys\":[],\"next\":null}\n");
      assertThat(cli.call("keys", "list", "-o", "jsonl").out()).isEmpty();
      assertThat(cli.call("keys", "list").err()).contains("no keys");
    }

    @Test
    void statesAreNamedForPeopleAndForPrograms() {
      claimed("job", "running", Duration.ZERO);
      claimed("job", "crashed", Duration.ofHours(1));
      cli.call("run", "--key", "job:done", "--", "true");
      cli.call("run", "--key", "job:failed", "--on-failure", "release", "--", "false");

      assertThat(cli.call("keys", "list").out().lines())
          .hasSize(5)
          .anyMatch(line -> line.matches("default/job:running +in flight \\(2\\d.*s left\\).*"))
          .anyMatch(line -> line.matches("default/job:crashed +lease ended \\(in doubt\\) .*"))
          .anyMatch(line -> line.matches("default/job:done +completed .*"))
          .anyMatch(line -> line.matches("default/job:failed +released .*"));
      assertThat(cli.call("keys", "list", "-o", "plain").out().lines())
          .anyMatch(line -> line.startsWith("default/job:running\tin_flight\t1\t"))
          .anyMatch(line -> line.startsWith("default/job:crashed\tin_doubt\t1\t"))
          .anyMatch(line -> line.startsWith("default/job:done\tcompleted\t1\t"))
          .anyMatch(line -> line.startsWith("default/job:failed\treleased\t1\t"));
    }

    @Test
    void prefixMayLeaveTheDefaultTenantOut() {
      claimed("job", "1", Duration.ZERO);
      claimed("other", "1", Duration.ZERO);

      for (String prefix : List.of("job:", "job:1", "default/job", "default/job:1")) {
        assertThat(cli.call("keys", "list", "--prefix", prefix, "-o", "plain").out().lines())
            .as(prefix)
            .singleElement()
            .asString()
            .startsWith("default/job:1\t");
      }
      assertThat(cli.call("keys", "list", "--prefix", "default", "-o", "plain").out().lines())
          .hasSize(2);
    }

    @Test
    void cursorGoesOnWhereThePageEnded() {
      for (int i = 0; i < 5; i++) {
        claimed("job", "k" + i, Duration.ZERO);
      }

      JsonObject first = cli.call("keys", "list", "--limit", "3", "-o", "json").json();
      JsonValue next = first.get("next").orElseThrow();
      String cursor = ((JsonValue.JsonString) next).text();
      JsonObject rest = cli.call("keys", "list", "--cursor", cursor, "-o", "json").json();

      assertThat(((JsonArray) first.get("keys").orElseThrow()).items()).hasSize(3);
      assertThat(((JsonArray) rest.get("keys").orElseThrow()).items()).hasSize(2);
      assertThat(rest.get("next")).contains(new JsonValue.JsonNull());
      assertThat(cli.call("keys", "list", "--limit", "3").err()).contains("--cursor " + cursor);
      assertThat(cli.call("keys", "list", "--all", "-o", "jsonl").out().lines()).hasSize(5);
    }
  }

  @Nested
  class Inspecting {
    @Test
    void jsonHasTheDocumentedFields() {
      cli.call("run", "--key", "acme/job:1", "--request-id", "r-1", "--", "echo", "hi");

      JsonObject entry = cli.call("keys", "inspect", "acme/job:1", "-o", "json").json();

      assertThat(entry.members().keySet())
          .containsExactly(
              "key",
              "tenant",
              "operation",
              "id",
              "state",
              "attempt",
              "request_id",
              "age_ms",
              "lease_left_ms",
              "retention_left_ms",
              "fingerprint",
              "payload_type",
              "payload_bytes",
              "exit_code",
              "claimed_by",
              "effect_key");
      assertThat(entry.get("key")).contains(JsonValue.of("acme/job:1"));
      assertThat(entry.get("tenant")).contains(JsonValue.of("acme"));
      assertThat(entry.get("request_id")).contains(JsonValue.of("r-1"));
      assertThat(entry.get("state")).contains(JsonValue.of("completed"));
      assertThat(entry.get("payload_type")).contains(JsonValue.of(RunCodec.TYPE));
    }

    @Test
    void tokenAndPayloadAreShownOnlyWhenAskedFor() {
      cli.call("run", "--key", "a", "--", "echo", "hidden");

      assertThat(cli.call("keys", "inspect", "a").out()).doesNotContain("hidden", "token");
      assertThat(cli.call("keys", "inspect", "a", "--payload").out()).contains("hidden");
      assertThat(cli.call("keys", "inspect", "a", "--show-token").out()).contains("token");
      JsonObject payload =
          (JsonObject)
              cli.call("keys", "inspect", "a", "--payload", "-o", "json")
                  .json()
                  .get("payload")
                  .orElseThrow();
      assertThat(payload.get("stdout")).contains(JsonValue.of("hidden\n"));
      assertThat(payload.get("exit_code")).contains(JsonValue.of(0));
    }

    @Test
    void escapeSequencesInAPayloadDoNotReachTheTerminal() {
      cli.call("run", "--key", "a", "--", "printf", "a\\033[2Jb\\tc\\n");

      assertThat(cli.call("keys", "inspect", "a", "--payload").out())
          .doesNotContain("\u001b")
          .contains("a\\u001b[2Jb\tc");
    }

    @Test
    void binaryPayloadIsGivenAsBase64() {
      Records.completed(cli.database(), Key.of("job", "1"), new Payload("x", new byte[] {-1, -2}));

      assertThat(cli.call("keys", "inspect", "job:1", "--payload", "-o", "json").out())
          .contains("\"body_base64\":\"//4=\"");
      assertThat(cli.call("keys", "inspect", "job:1", "--payload").out()).contains("binary");
    }

    @Test
    void keyInDoubtNamesTheWayOut() {
      claimed("job", "1", Duration.ofHours(1));

      assertThat(cli.call("keys", "inspect", "job:1").out())
          .contains("in doubt", "keys release default/job:1");
    }

    @Test
    void missingKeyIsNotFound() {
      Cli.Result result = cli.call("keys", "inspect", "nothing", "-o", "json");

      assertThat(result.code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(result.out()).isEmpty();
      assertThat(result.err()).contains("default/run:nothing");
    }
  }

  @Nested
  class Releasing {
    @Test
    void releasedKeyRunsAgain() {
      claimed("job", "1", Duration.ofHours(1));

      assertThat(cli.call("keys", "release", "job:1", "-y").code()).isZero();
      assertThat(cli.call("run", "--key", "job:1", "--", "sh", "-c", "echo $SEMEL_ATTEMPT").out())
          .isEqualTo("2\n");
    }

    @Test
    void withoutATerminalAndWithoutYesNothingIsDone() {
      claimed("job", "1", Duration.ofHours(1));

      for (String command : List.of("release", "delete")) {
        Cli.Result result = cli.call("keys", command, "job:1");

        assertThat(result.code()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("default/job:1", "in doubt", "-y");
      }
      assertThat(cli.call("keys", "inspect", "job:1", "-o", "json").out()).contains("in_doubt");
    }

    @Test
    void onATerminalItAsksAndTakesNoForAnAnswer() {
      claimed("job", "1", Duration.ofHours(1));

      assertThat(cli.typing("n\n").call("keys", "release", "job:1").code())
          .isEqualTo(ExitCode.FAILED);
      assertThat(cli.typing("\n").call("keys", "release", "job:1").code())
          .isEqualTo(ExitCode.FAILED);
      assertThat(cli.typing("").call("keys", "release", "job:1").code()).isEqualTo(ExitCode.FAILED);
      assertThat(cli.call("keys", "inspect", "job:1", "-o", "json").out()).contains("in_doubt");
      assertThat(cli.typing("y\n").call("keys", "release", "job:1").code()).isZero();
      assertThat(cli.call("keys", "inspect", "job:1", "-o", "json").out()).contains("released");
    }

    @Test
    void holdersTokenReleasesWithoutAskingAndAnotherOneIsRefused() {
      Key key = Key.of("job", "1");
      Token token = Records.claimed(cli.database(), key, Duration.ZERO);

      Cli.Result wrong = cli.call("keys", "release", "job:1", "--token", Token.draw().text());
      Cli.Result right = cli.call("keys", "release", "job:1", "--token", token.text());

      assertThat(wrong.code()).isEqualTo(ExitCode.CONFLICT);
      assertThat(wrong.err()).contains("does not hold");
      assertThat(right.code()).isZero();
    }

    @Test
    void missingKeyIsNotFound() {
      assertThat(cli.call("keys", "release", "x", "-y").code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(cli.call("keys", "delete", "x", "-y").code()).isEqualTo(ExitCode.NOT_FOUND);
    }

    @Test
    void deletedKeyStartsFromTheFirstAttempt() {
      cli.call("run", "--key", "a", "--", "sh", "-c", "echo $SEMEL_ATTEMPT");

      assertThat(cli.call("keys", "delete", "a", "-y", "-o", "json").out())
          .isEqualTo("{\"key\":\"default/run:a\",\"deleted\":true}\n");
      assertThat(cli.call("run", "--key", "a", "--", "sh", "-c", "echo $SEMEL_ATTEMPT").out())
          .isEqualTo("1\n");
    }
  }

  @Nested
  class Hashing {
    private static final String BODY = "{\"b\":2,\"a\":{\"x\":1}}";

    @Test
    void fingerprintIsTheLibrarys() {
      String expected =
          dev.semel.idempotency.Fingerprint.of(BODY.getBytes(StandardCharsets.UTF_8)).text();

      assertThat(cli.reading(BODY).call("keys", "hash").out()).isEqualTo(expected + "\n");
      assertThat(cli.reading(BODY).call("keys", "hash", "-").out()).isEqualTo(expected + "\n");
    }

    @Test
    void asJsonTheOrderOfMembersDoesNotCount() {
      String one = cli.reading(BODY).call("keys", "hash", "--json").out();
      String other =
          cli.reading("{\"a\": {\"x\": 1.0}, \"b\": 2}").call("keys", "hash", "--json").out();

      assertThat(one).isEqualTo(other).startsWith("sha256:");
    }

    @Test
    void chosenFieldsGiveAnIdToo() {
      JsonObject shown =
          cli.reading(BODY).call("keys", "hash", "--fields", "a.x,b", "-o", "json").json();

      assertThat(shown.members().keySet()).containsExactly("fingerprint", "id");
      assertThat(cli.reading(BODY).call("keys", "hash", "--fields", "a.x", "--clear").out())
          .contains("fingerprint", "\"a.x\":1", "id", "hash_");
    }

    @Test
    void whatIsNotJsonOrNotThereIsRefused() {
      assertThat(cli.reading("{").call("keys", "hash", "--json").code()).isEqualTo(ExitCode.USAGE);
      assertThat(cli.call("keys", "hash", "no-such-file").code()).isEqualTo(ExitCode.USAGE);
    }
  }
}
