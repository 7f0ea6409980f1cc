package dev.semel.cli.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Shop;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The ledger handled two messages, long ago and now; one of the mailer's is in doubt. */
class InboxCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() {
    cli = new Cli(folder);
    try (Shop shop = Shop.before(folder.resolve("shop.db"), Duration.ofDays(100))) {
      shop.handle("ledger", "old");
    }
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.handle("ledger", "new").keep("stock", "first").keep("stock", "second");
    }
  }

  private void doubt() {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.doubt("mailer", "greeting");
    }
  }

  private Cli.Result inbox(String... words) {
    return cli.call(onShop(words));
  }

  private static String[] onShop(String... words) {
    return Stream.of(List.of("inbox"), List.of(words), List.of("--database", "sqlite:shop.db"))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  @Test
  void statusCountsForEachConsumer() {
    Cli.Result table = inbox("status");
    assertThat(table.code()).isZero();
    assertThat(table.err()).isEmpty();
    assertThat(table.out().lines())
        .anyMatch(line -> line.matches("ledger +2 +\\S+Z +0 +0 +0 +0 +-"))
        .anyMatch(line -> line.matches("stock +2 +\\S+Z +2 +0 +0 +0 +\\S+"))
        .anyMatch(line -> line.matches("[0-9,]+ bytes"));

    JsonObject json = inbox("status", "-o", "json").json();
    assertThat(json.members()).containsOnlyKeys("bytes", "consumers", "says");
    assertThat(((JsonArray) json.get("consumers").orElseThrow()).items())
        .hasSize(2)
        .first()
        .satisfies(
            ledger -> assertThat(((JsonObject) ledger).get("ids")).contains(JsonValue.of(2)));
    assertThat(inbox("status", "-o", "plain").out())
        .isEqualTo("ledger\t2\t0\t0\t0\nstock\t2\t2\t0\t0\n");
  }

  @Test
  void whatIsWrongIsSaidBesideTheStatus() {
    doubt();
    Cli.Result status = inbox("status", "-o", "json");
    assertThat(status.code()).isZero();
    assertThat(status.err()).contains("1 messages of mailer were started");
    assertThat(((JsonArray) status.json().get("consumers").orElseThrow()).items()).hasSize(3);
  }

  @Test
  void deadLetterIsShownEditedAndGoesBack() throws IOException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.reject("stock").keep("stock", "third");
    }
    Files.writeString(folder.resolve("order.json"), "{\"mended\":true}");
    String[] edit = {"retry", "--consumer", "stock", "--id", "first", "--payload", "order.json"};
    assertThat(inbox("payload", "--consumer", "stock", "--id", "first", "-o", "plain").out())
        .isEqualTo("{}");
    Cli.Result unasked = inbox(edit);
    assertThat(unasked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unasked.err()).contains("15 B in place of 2 B");
    assertThat(inbox(and(edit, "-y")).out()).isEqualTo("retried 1 message\n");
    assertThat(inbox("payload", "--consumer", "stock", "--id", "first", "-o", "plain").out())
        .isEqualTo("{\"mended\":true}");
    Cli.Result again = inbox(and(edit, "-y"));
    assertThat(again.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(again.err()).contains("is no dead letter");
    edit[4] = "nobody";
    assertThat(inbox(and(edit, "-y")).code()).isEqualTo(ExitCode.NOT_FOUND);
    Cli.Result none = inbox("retry", "--consumer", "stock", "--payload", "order.json", "-y");
    assertThat(none.code()).isEqualTo(ExitCode.USAGE);
    assertThat(none.err()).contains("--id");
  }

  private static String[] and(String[] words, String last) {
    return Stream.concat(Stream.of(words), Stream.of(last)).toArray(String[]::new);
  }

  @Test
  void aConsumersMessagesAreListed() {
    doubt();
    assertThat(inbox("list", "--consumer", "stock").out().lines().skip(1))
        .hasSize(2)
        .first()
        .asString()
        .matches("first +pending +orders +- +0 +\\S+Z +-");
    assertThat(inbox("list", "--consumer", "mailer", "--state", "in-doubt", "-o", "plain").out())
        .startsWith("greeting\t");
    assertThat(inbox("list", "--consumer", "mailer", "--state", "in-doubt", "-o", "jsonl").out())
        .startsWith("{\"id\":\"greeting\",\"state\":\"in");
    JsonObject json = inbox("list", "--consumer", "stock", "-o", "json").json();
    assertThat(json.get("next")).contains(new JsonValue.JsonNull());
    assertThat(((JsonArray) json.get("messages").orElseThrow()).items()).hasSize(2);
    assertThat(inbox("list", "--consumer", "ledger", "--state", "dead").err())
        .contains("no messages of \"ledger\" are dead");
  }

  @Test
  void aListingGoesOnAtItsCursor() {
    Cli.Result first = inbox("list", "--consumer", "stock", "--limit", "1", "-o", "plain");
    assertThat(first.out()).startsWith("first\t").hasLineCount(1);
    String cursor = first.err().substring(first.err().lastIndexOf(' ') + 1).strip();
    assertThat(inbox("list", "--consumer", "stock", "--cursor", cursor, "-o", "plain").out())
        .startsWith("second\t")
        .hasLineCount(1);
  }

  @Test
  void oldIdsAreForgottenAfterAQuestion() {
    String[] purge = onShop("purge", "--consumer", "ledger", "--older-than", "90d");
    assertThat(cli.call(purge).code()).isEqualTo(ExitCode.USAGE);
    Cli.Result no = new Cli(folder).typing("n\n").call(purge);
    assertThat(no.code()).isZero();
    assertThat(no.err())
        .contains("forgets 1 id of \"ledger\", first seen over 90d ago", "nothing was done");
    assertThat(new Cli(folder).typing("y\n").call(purge).out()).isEqualTo("forgot 1 id\n");
    assertThat(
            inbox("purge", "--consumer", "ledger", "--older-than", "90d", "-y", "-o", "json").out())
        .isEqualTo("{\"forgot\":0}\n");
    assertThat(inbox("status", "-o", "plain").out()).contains("ledger\t1\t");
  }

  @Test
  void deadLettersGoBackToTheirWorkers() {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.reject("stock");
    }
    assertThat(inbox("status", "-o", "plain").out()).contains("stock\t2\t0\t2\t0");
    assertThat(inbox("retry", "--consumer", "stock", "--id", "second").out())
        .isEqualTo("retried 1 message\n");
    assertThat(inbox("status", "-o", "plain").out()).contains("stock\t2\t1\t1\t0");
    Cli.Result no = new Cli(folder).typing("n\n").call(onShop("retry", "--consumer", "stock"));
    assertThat(no.err()).contains("This gives 1 message", "stock", "nothing was done");
    assertThat(inbox("retry", "--consumer", "stock").code()).isEqualTo(ExitCode.USAGE);
    assertThat(inbox("status", "-o", "plain").out()).contains("stock\t2\t1\t1\t0");
    assertThat(inbox("retry", "--consumer", "stock", "-y", "-o", "json").out())
        .isEqualTo("{\"retried\":1}\n");
    assertThat(inbox("status", "-o", "plain").out()).contains("stock\t2\t2\t0\t0");
    Cli.Result unknown = inbox("retry", "--consumer", "stock", "--id", "third");
    assertThat(unknown.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(unknown.err()).contains("no message \"third\" of \"stock\"");
  }

  @Test
  void oneIdIsForgottenAfterAQuestion() {
    doubt();
    String[] forget = onShop("forget", "--consumer", "mailer", "--id", "greeting");
    assertThat(cli.call(forget).code()).isEqualTo(ExitCode.USAGE);
    Cli.Result no = new Cli(folder).typing("n\n").call(forget);
    assertThat(no.err()).contains("a second time if it did before", "nothing was done");
    assertThat(inbox("status", "-o", "plain").out()).contains("mailer\t1\t0\t0\t1");
    assertThat(new Cli(folder).typing("y\n").call(forget).out()).isEqualTo("forgot 1 id\n");
    assertThat(inbox("status", "-o", "plain").out()).doesNotContain("mailer");
    Cli.Result gone = inbox("forget", "--consumer", "mailer", "--id", "greeting", "-y");
    assertThat(gone.code()).isEqualTo(ExitCode.NOT_FOUND);
    Cli.Result waiting = inbox("forget", "--consumer", "stock", "--id", "first", "-y");
    assertThat(waiting.code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(waiting.err()).contains("semel inbox retry");
  }

  @Test
  void idsOfMessagesThatWaitAreKept() {
    assertThat(
            inbox("purge", "--consumer", "stock", "--older-than", "1ms", "-y", "-o", "plain").out())
        .isEqualTo("0\n");
  }

  @Test
  void tablesCanBeCreatedByHand() {
    assertThat(inbox("ddl").out()).contains("CREATE TABLE", "semel_inbox");
    assertThat(cli.call("inbox", "ddl", "--database", "memory:").code()).isEqualTo(ExitCode.USAGE);
  }

  static Stream<Arguments> wrongCalls() {
    return Stream.of(
        wrong("pending, dead or in-doubt", "list", "--consumer", "stock", "--state", "lost"),
        wrong("--consumer", "list"),
        wrong("operation", "list", "--consumer", "a/b"),
        wrong("cursor", "list", "--consumer", "stock", "--cursor", "x"),
        wrong("--limit is from 1 to 1000", "list", "--consumer", "stock", "--limit", "0"),
        wrong("--older-than", "purge", "--consumer", "ledger", "-y"),
        wrong("--older-than", "purge", "--consumer", "ledger", "--older-than", "soon", "-y"),
        wrong("--older-than", "purge", "--consumer", "ledger", "--older-than", "-1d", "-y"),
        wrong("operation", "purge", "--consumer", "", "--older-than", "1d", "-y"),
        wrong("--id", "forget", "--consumer", "ledger", "-y"),
        wrong("operation", "forget", "--consumer", "a b", "--id", "new", "-y"),
        wrong("operation", "retry", "--consumer", "a b"),
        wrong("operation", "purge", "--consumer", "a b", "--older-than", "1d"));
  }

  private static Arguments wrong(String says, String... words) {
    return Arguments.of(says, List.of(words));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrongCalls")
  void wrongInputChangesNothing(String says, List<String> words) {
    Cli.Result result = inbox(words.toArray(new String[0]));
    assertThat(result.err()).contains(says).doesNotContain("\tat ", "Exception");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(inbox("status", "-o", "plain").out())
        .isEqualTo("ledger\t2\t0\t0\t0\nstock\t2\t2\t0\t0\n");
  }

  @ParameterizedTest
  @ValueSource(strings = {"redis://u:secret@127.0.0.1:1", "memory:"})
  void onlyADatabaseHasAnInbox(String url) {
    Cli.Result result = cli.call("inbox", "status", "--database", url);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("--database").doesNotContain("secret");
  }
}
