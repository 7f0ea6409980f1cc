package dev.semel.cli.messages;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.Shop;
import dev.semel.internal.Ids;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** One message waits, one is dead and one was published. */
class OutboxCommandTest {
  @TempDir Path folder;
  private Cli cli;

  @BeforeEach
  void start() throws SQLException {
    cli = new Cli(folder);
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.order("sent").publish();
      shop.order("dead").bury("there is no such subject");
      shop.order("waits");
    }
  }

  private Cli.Result outbox(String... words) {
    return cli.call(onShop(words));
  }

  private static String[] onShop(String... words) {
    return Stream.of(List.of("outbox"), List.of(words), List.of("--database", "sqlite:shop.db"))
        .flatMap(List::stream)
        .toArray(String[]::new);
  }

  private List<String> ids(String state) {
    return outbox("list", "--state", state, "-o", "plain")
        .out()
        .lines()
        .map(line -> line.substring(0, line.indexOf('\t')))
        .toList();
  }

  @Test
  void statusCountsWhatWaitsIsDeadAndIsKept() {
    Cli.Result table = outbox("status");
    assertThat(table.code()).isZero();
    assertThat(table.err()).isEmpty();
    assertThat(table.out().lines())
        .contains("pending   1", "failing   0", "dead      1", "kept      1")
        .contains("no relay is running")
        .anyMatch(line -> line.matches("orders +1 +1 +\\S+"));

    JsonObject json = outbox("status", "-o", "json").json();
    assertThat(json.get("pending")).contains(JsonValue.of(1));
    assertThat(json.get("dead")).contains(JsonValue.of(1));
    assertThat(json.get("kept")).contains(JsonValue.of(1));
    assertThat(json.members())
        .containsKeys("failing", "in_flight", "oldest_ms", "destinations", "relays");
    assertThat(outbox("status", "-o", "plain").out()).contains("pending\t1\n", "dead\t1\n");
  }

  @Test
  void aRelayThatLivesIsSeen() {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.relay();
      assertThat(outbox("status").out().lines())
          .anyMatch(line -> line.matches("relay-of-the-shop +16 +0 +0 +0\\.0/s +\\S+ ago"));
      assertThat(
              ((JsonArray) outbox("status", "-o", "json").json().get("relays").orElseThrow())
                  .items())
          .hasSize(1);
    }
  }

  @Test
  void messagesAreListedByTheirStateWithoutTheirPayload() {
    assertThat(outbox("list").out().lines().skip(1))
        .singleElement()
        .asString()
        .matches("waits +pending +orders +ann +order-created +2 +0 +\\S+Z +-");
    assertThat(outbox("list", "--state", "dead").out()).contains("there is no such subject");
    JsonObject json = outbox("list", "--state", "published", "-o", "json").json();
    assertThat(json.members()).containsOnlyKeys("messages", "next");
    assertThat(json.get("next")).contains(new JsonValue.JsonNull());
    assertThat(outbox("list", "--state", "dead", "-o", "jsonl").out().lines())
        .singleElement()
        .asString()
        .startsWith(
            "{\"id\":\"dead\",\"state\":\"dead\",\"destination\":\"orders\",\"ordering_key\":\"ann\"");
  }

  @Test
  void aListingGoesOnAtItsCursor() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.order("waits too");
    }
    Cli.Result first = outbox("list", "--limit", "1", "-o", "plain");
    assertThat(first.out()).startsWith("waits\t").hasLineCount(1);
    String cursor = first.err().substring(first.err().lastIndexOf(' ') + 1).strip();
    Cli.Result second = outbox("list", "--limit", "1", "-o", "plain", "--cursor", cursor);
    assertThat(second.out()).startsWith("waits too\t").hasLineCount(1);
    assertThat(second.err()).isEmpty();
  }

  @Test
  void whatIsNotThereIsSaid() {
    assertThat(outbox("list", "--destination", "nowhere").err())
        .contains("no messages are pending");
    assertThat(outbox("list", "--until", "2020-01-01T00:00:00Z", "-o", "plain").out()).isEmpty();
  }

  @Test
  void deadLettersGoBackToTheQueue() {
    assertThat(outbox("retry", "--id", "no such id", "-o", "plain").out()).isEqualTo("0\n");
    Cli.Result unasked = outbox("retry");
    assertThat(unasked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unasked.err()).contains("This puts 1 message back into the queue", "add -y");
    Cli.Result no = new Cli(folder).typing("n\n").call(onShop("retry"));
    assertThat(no.code()).isZero();
    assertThat(no.err()).contains("1 message", "nothing was done");
    assertThat(ids("dead")).containsExactly("dead");
    assertThat(outbox("retry", "-y").out()).isEqualTo("retried 1 message\n");
    assertThat(ids("pending")).containsExactly("waits", "dead");
    assertThat(ids("dead")).isEmpty();
    assertThat(outbox("retry", "-o", "json").out()).isEqualTo("{\"retried\":0}\n");
  }

  @Test
  void deadLetterIsShownWithItsPayload() {
    assertThat(outbox("payload", "--id", "dead", "-o", "plain").outBytes())
        .isEqualTo(new byte[] {'{', '}'});
    assertThat(outbox("payload", "--id", "dead").out())
        .contains("destination   orders\n", "ordering key  ann\n", "--- body (2 B)\n{}\n");
    JsonObject json = outbox("payload", "--id", "dead", "-o", "json").json();
    assertThat(json.get("base64")).contains(JsonValue.of("e30="));
    for (String id : List.of("waits", "sent", "nobody")) {
      Cli.Result none = outbox("payload", "--id", id);
      assertThat(none.code()).isEqualTo(ExitCode.NOT_FOUND);
      assertThat(none.err()).contains("there is no dead letter");
    }
  }

  @Test
  void payloadReachesATerminalOnlyAsSafeText() throws IOException {
    Files.write(folder.resolve("order.json"), new byte[] {'a', 0x1b, '[', '2', 'J'});
    outbox("retry", "--id", "dead", "--payload", "order.json", "-y");
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.bury("once more");
    }
    String shown =
        new Cli(folder).onTerminal().call(onShop("payload", "--id", "dead", "-o", "plain")).out();
    assertThat(shown).contains("a\\u001b[2J").doesNotContain("\u001b[2J");
    assertThat(outbox("payload", "--id", "dead", "-o", "plain").outBytes()).hasSize(5);
  }

  @Test
  void editedDeadLetterGoesBackOnceSomeoneAgreed() throws IOException {
    Files.writeString(folder.resolve("order.json"), "{\"mended\":true}");
    Cli.Result unasked = outbox("retry", "--id", "dead", "--payload", "order.json");
    assertThat(unasked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unasked.err()).contains("15 B in place of 2 B", "add -y");
    Cli.Result no =
        new Cli(folder)
            .typing("n\n")
            .call(onShop("retry", "--id", "dead", "--payload", "order.json"));
    assertThat(no.err()).contains("nothing was done");
    assertThat(ids("dead")).containsExactly("dead");
    assertThat(outbox("retry", "--id", "dead", "--payload", "order.json", "-y").out())
        .isEqualTo("retried 1 message\n");
    assertThat(ids("pending")).containsExactly("waits", "dead");
    assertThat(outbox("list", "--id", "dead").out()).contains(" 15 ");
    assertThat(outbox("retry", "--id", "dead", "--payload", "order.json", "-y").code())
        .isEqualTo(ExitCode.NOT_FOUND);
  }

  @ParameterizedTest
  @ValueSource(strings = {"--payload order.json", "--id dead --payload nowhere.json"})
  void payloadNeedsOneDeadLetterAndAFile(String words) throws IOException {
    Files.writeString(folder.resolve("order.json"), "{}");
    Cli.Result refused = outbox(("retry -y " + words).split(" "));
    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("--payload");
    assertThat(ids("dead")).containsExactly("dead");
  }

  @Test
  void idThatIsDeadOnItsWayToSeveralNeedsItsDestination() throws Exception {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.tell("mails", "dead").bury("no");
    }
    Cli.Result which = outbox("payload", "--id", "dead");
    assertThat(which.code()).isEqualTo(ExitCode.USAGE);
    assertThat(which.err()).contains("mails", "orders", "--destination");
    assertThat(outbox("payload", "--id", "dead", "--destination", "mails", "-o", "plain").out())
        .isEqualTo("to mails");
  }

  @Test
  void publishedMessagesAreSentAgain() {
    assertThat(outbox("replay", "--id", "sent", "-o", "json").out())
        .isEqualTo("{\"replayed\":1}\n");
    assertThat(ids("pending")).containsExactly("waits", "sent");
  }

  @Test
  void asNewMessagesOnlyAfterAQuestion() {
    Cli.Result unasked = outbox("replay", "--id", "sent", "--new-ids");
    assertThat(unasked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(unasked.err()).contains("hears them again", "add -y");
    assertThat(ids("pending")).containsExactly("waits");

    assertThat(outbox("replay", "--id", "sent", "--new-ids", "-y").out())
        .isEqualTo("replayed 1 message\n");
    assertThat(ids("pending")).hasSize(2).doesNotContain("sent");
  }

  @Test
  void everythingIsSentAgainOnlyAfterAQuestion() {
    assertThat(outbox("replay").code()).isEqualTo(ExitCode.USAGE);
    Cli.Result no = new Cli(folder).typing("n\n").call(onShop("replay"));
    assertThat(no.code()).isZero();
    assertThat(no.err()).contains("This sends 1 message again", "nothing was done");
    assertThat(ids("published")).containsExactly("sent");
    assertThat(new Cli(folder).typing("y\n").call(onShop("replay", "--new-ids")).err())
        .contains("1 message", "hears them again");
    assertThat(ids("pending")).hasSize(2);
  }

  @Test
  void deadLettersAreDeletedOnlyAfterAQuestion() {
    assertThat(outbox("purge", "--state", "dead").code()).isEqualTo(ExitCode.USAGE);
    Cli.Result no = new Cli(folder).typing("\n").call(onShop("purge", "--state", "dead"));
    assertThat(no.err()).contains("This deletes 1 message, dead", "nothing was done");
    assertThat(ids("dead")).containsExactly("dead");

    assertThat(outbox("purge", "--state", "dead", "-y", "-o", "json").out())
        .isEqualTo("{\"deleted\":1}\n");
    assertThat(new Cli(folder).typing("y\n").call(onShop("purge", "--state", "published")).out())
        .isEqualTo("deleted 1 message\n");
    assertThat(ids("dead")).isEmpty();
    assertThat(ids("published")).isEmpty();
    assertThat(ids("pending")).containsExactly("waits");
  }

  @Test
  void anAuditFindsWhatNobodyWasToldOf() throws SQLException {
    Cli.Result whole = outbox("audit", "--query", "SELECT id FROM orders");
    assertThat(whole.code()).isZero();
    assertThat(whole.out()).isEmpty();
    assertThat(whole.err()).contains("nothing is missing");
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.orderWithoutMessage("forgotten");
    }
    Cli.Result missing = outbox("audit", "--query", "SELECT id FROM orders");
    assertThat(missing.code()).isEqualTo(ExitCode.FAILED);
    assertThat(missing.out()).isEqualTo("forgotten\n");
    assertThat(outbox("audit", "--query", "SELECT id FROM orders", "-o", "json").out())
        .isEqualTo("{\"missing\":[\"forgotten\"]}\n");
    assertThat(outbox("audit", "--query", "SELECT id FROM orders", "-o", "jsonl").out())
        .isEqualTo("{\"missing\":\"forgotten\"}\n");
  }

  @Test
  void anAuditByNamesHashesThemAsTheApplicationDid() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.namedOrder("order-17-v1").publish();
      shop.orderWithoutMessage("order-18-v1");
    }
    String query = "SELECT id FROM orders WHERE id LIKE 'order-%'";
    assertThat(outbox("audit", "--query", query, "--named").out()).isEqualTo("order-18-v1\n");
    assertThat(outbox("audit", "--query", query, "--named", "-o", "json").out())
        .isEqualTo("{\"missing\":[\"order-18-v1\"]}\n");
    Cli.Result unnamed = outbox("audit", "--query", query);
    assertThat(unnamed.code()).isEqualTo(ExitCode.FAILED);
    assertThat(unnamed.err()).contains("2 of them do not look like ids", "--named");
  }

  @Test
  void idsThatAreMissingAreNotTakenForNames() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.orderWithoutMessage("019a91e9-2dff-7af2-9999-a61325444d0e");
    }
    assertThat(outbox("audit", "--query", "SELECT id FROM orders").err())
        .contains("1 missing")
        .doesNotContain("--named");
  }

  @Test
  void aRebuildAddsWhatIsMissingOnce() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.namedOrder("order-17-v1").publish();
      shop.orderWithoutMessage("order-18-v1");
    }
    String query =
        "SELECT id AS name, 'orders' AS destination, '{\"id\":\"' || id || '\"}' AS payload,"
            + " 'ann' AS ordering_key, 'order-created' AS type FROM orders WHERE id LIKE 'order-%'";
    assertThat(outbox("rebuild", "--query", query).err()).contains("This adds 1 message", "-y");
    assertThat(outbox("rebuild", "--query", query, "-y", "-o", "json").out())
        .isEqualTo("{\"rebuilt\":1}\n");
    assertThat(outbox("rebuild", "--query", query, "-y", "-o", "json").out())
        .isEqualTo("{\"rebuilt\":0}\n");
    String id = Ids.named("order-18-v1").toString();
    assertThat(ids("pending")).contains(id);
    assertThat(outbox("list", "--state", "pending", "-o", "json", "--id", id).out())
        .contains("\"ordering_key\":\"ann\"", "\"type\":\"order-created\"");
    assertThat(cli.call("audit", "list", "--store", "sqlite:shop.db", "-o", "json").out())
        .contains("\"kind\":\"rebuilt\"", id);
  }

  @Test
  void aRebuildByIdsAndBytesKeepsBoth() throws SQLException {
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.orderWithoutMessage("lost");
    }
    String query = "SELECT id, 'orders' AS destination, x'00ff' AS payload FROM orders";
    assertThat(outbox("rebuild", "--query", query + " ;", "-y").out())
        .isEqualTo("rebuilt 1 message\n");
    assertThat(ids("pending")).containsExactlyInAnyOrder("waits", "lost");
    try (Shop shop = Shop.open(folder.resolve("shop.db"))) {
      shop.bury("no");
    }
    assertThat(outbox("payload", "--id", "lost", "-o", "plain").outBytes())
        .isEqualTo(new byte[] {0, -1});
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT id FROM orders",
        "SELECT id, id AS name, 'a' AS destination, 'b' AS payload FROM orders",
        "SELECT id, 'a' AS destination, 'b' AS payload, 'c' AS other FROM orders",
        "SELECT id, 'a' AS destination, NULL AS payload FROM orders",
        "DELETE FROM orders RETURNING id, 'a' AS destination, 'b' AS payload",
        "SELEC id"
      })
  void aRebuildOfAnythingElseIsTheCallersMistake(String query) {
    Cli.Result result = outbox("rebuild", "-y", "--query", query);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("query").doesNotContain("\tat ", "Exception");
    assertThat(ids("pending")).containsExactly("waits");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELEC id FROM orders",
        "SELECT nothing FROM orders",
        "SELECT id, id FROM orders",
        "DELETE FROM orders RETURNING id",
        "SELECT id FROM orders WHERE id = ?",
        ""
      })
  void aQueryThatIsNoneIsTheCallersMistake(String query) {
    Cli.Result result = outbox("audit", "--query", query);
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).contains("query").doesNotContain("\tat ", "Exception");
  }

  @Test
  void tablesCanBeCreatedByHand() {
    assertThat(outbox("ddl").out()).contains("CREATE TABLE", "semel_outbox", "semel_inbox");
    assertThat(cli.call("outbox", "ddl", "--database", "postgresql://nobody@nowhere/x").out())
        .contains("CREATE TABLE", "semel_outbox");
    assertThat(cli.call("outbox", "ddl", "--database", "mariadb://nobody@nowhere/x").out())
        .contains("CREATE TABLE", "semel_outbox");
    assertThat(outbox("ddl", "-o", "json").code()).isEqualTo(ExitCode.USAGE);
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void tablesCanBeUpgradedByHand() {
    assertThat(outbox("ddl", "--from", "3").out())
        .startsWith("-- semel's tables, from version 3 to ")
        .contains("CREATE TABLE semel_outbox", "DELETE FROM semel_schema")
        .doesNotContain("CREATE TABLE semel_idempotency", "CREATE TABLE semel_inbox ");
    assertThat(outbox("ddl", "--from", "99").code()).isEqualTo(ExitCode.USAGE);
  }

  static Stream<Arguments> wrongCalls() {
    return Stream.of(
        wrong("pending, dead or published", "list", "--state", "lost"),
        wrong("2026-01-31T10:00:00Z", "list", "--from", "yesterday"),
        wrong("2026-01-31T10:00:00Z", "retry", "--until", ""),
        wrong("--limit is from 1 to 1000", "list", "--limit", "0"),
        wrong("--limit is from 1 to 1000", "list", "--limit", "1001"),
        wrong("no cursor", "list", "--cursor", "x"),
        wrong("never deleted", "purge", "--state", "pending", "-y"),
        wrong("dead or published", "purge", "--state", "lost", "-y"),
        wrong("--state", "purge", "-y"),
        wrong("--query", "audit"),
        wrong("--query", "rebuild"),
        wrong("output format", "status", "-o", "xml"));
  }

  private static Arguments wrong(String says, String... words) {
    return Arguments.of(says, List.of(words));
  }

  @ParameterizedTest(name = "{1}")
  @MethodSource("wrongCalls")
  void wrongInputChangesNothing(String says, List<String> words) {
    Cli.Result result = outbox(words.toArray(new String[0]));
    assertThat(result.err()).contains(says).doesNotContain("\tat ", "Exception");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.out()).isEmpty();
    assertThat(Stream.of("pending", "dead", "published").map(this::ids))
        .containsExactly(List.of("waits"), List.of("dead"), List.of("sent"));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"redis://u:secret@127.0.0.1:1", "memory:", "nats://u:secret@h", "shop.db", ""})
  void onlyADatabaseHasAnOutbox(String url) {
    for (String command : List.of("status", "list", "retry", "ddl")) {
      Cli.Result result = cli.call("outbox", command, "--database", url);
      assertThat(result.code()).isEqualTo(ExitCode.USAGE);
      assertThat(result.err()).contains("--database").doesNotContain("secret", "Exception");
      assertThat(result.out()).isEmpty();
    }
    assertThat(folder.resolve("data")).doesNotExist();
  }

  @Test
  void aMisspelledFileIsNotCreated() {
    Cli.Result result = cli.call("outbox", "status", "--database", "sqlite:shpo.db");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("shpo.db");
    assertThat(Files.exists(folder.resolve("shpo.db"))).isFalse();
  }

  @Test
  void theStoreIsTheDatabaseUnlessOneIsNamed() {
    assertThat(cli.call("outbox", "status", "--store", "sqlite:shop.db", "-o", "plain").out())
        .contains("pending\t1\n");
  }
}
