package dev.semel.cli.streams;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.stream.ContentType;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ProducerTuple;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Streams in the data folder, in this process. */
class StreamsCommandTest {
  private static final String ZERO = "0000000000000000_0000000000000000";

  @TempDir Path folder;

  private Cli.Result call(String... args) {
    return new Cli(folder).call(args);
  }

  private Cli.Result append(String input, String... args) {
    return new Cli(folder).reading(input).call(args);
  }

  private void created(String path, String type) {
    assertThat(call("streams", "create", path, "--type", type).code()).isZero();
  }

  @Test
  void linesOfTextComeBackAsTheyWere() {
    created("logs/a", "text/plain");

    Cli.Result appended = append("one\n\ntwo\r\nlast", "streams", "append", "logs/a");

    assertThat(appended.code()).isZero();
    assertThat(appended.out()).startsWith("appended 4 lines, 14 B to logs/a, tail 0000");
    Cli.Result read = call("streams", "read", "logs/a");
    assertThat(read.out()).isEqualTo("one\n\ntwo\r\nlast");
    assertThat(read.err()).isEmpty();
  }

  @Test
  void linesOfJsonAreMessages() {
    created("orders", "application/json");

    append("{\"a\": 1}\n\n  [1, 2] \r\n\"é\"", "streams", "append", "orders");
    append("[\n3,\n{\"b\":\n4}]", "streams", "append", "orders", "--raw");

    assertThat(call("streams", "read", "orders").out())
        .isEqualTo("{\"a\": 1}\n[1, 2]\n\"é\"\n3\n{\"b\": 4}\n");
    assertThat(call("streams", "read", "orders", "-o", "json").out())
        .isEqualTo("[{\"a\": 1},[1, 2],\"é\",3,{\"b\": 4}]\n");
  }

  @Test
  void lineThatIsNoJsonIsNamedAndTheOnesBeforeItCounted() {
    created("orders", "application/json");

    Cli.Result two = append("1\n2,3\n", "streams", "append", "orders");

    assertThat(two.code()).isEqualTo(ExitCode.USAGE);
    assertThat(two.err()).contains("line 2: not valid JSON", "0 lines, 0 B are appended");
    assertThat(call("streams", "read", "orders").out()).isEmpty();
  }

  @Test
  void readGoesOnWhereItStopped() {
    created("orders", "application/json");
    append("1\n22\n333\n", "streams", "append", "orders");

    Cli.Result first = call("streams", "read", "orders", "--limit", "2");

    assertThat(first.out()).isEqualTo("1\n22\n");
    String from = first.err().replaceAll("(?s).*--from (\\S+).*", "$1");
    assertThat(call("streams", "read", "orders", "--from", from).out()).isEqualTo("333\n");
    assertThat(call("streams", "read", "orders", "--from", "now").out()).isEmpty();

    created("text", "text/plain");
    append("abcdef", "streams", "append", "text");
    assertThat(call("streams", "read", "text", "--limit", "4").out()).isEqualTo("abcd");
    assertThat(call("streams", "read", "text", "--limit", "6").err()).isEmpty();
  }

  @Test
  void dataForATerminalCannotActOnIt() {
    created("evil", "text/plain");
    append("a\u001b[2Jb\n", "streams", "append", "evil");

    assertThat(new Cli(folder).onTerminal().call("streams", "read", "evil").out())
        .isEqualTo("a\\u001b[2Jb\n");
    assertThat(call("streams", "read", "evil").out()).isEqualTo("a\u001b[2Jb\n");
  }

  @Test
  void appendCreatesAndClosesInOneGo() {
    Cli.Result result =
        append(
            "a\nb\n",
            "streams",
            "append",
            "new",
            "--create",
            "--type",
            "text/plain",
            "--close",
            "-o",
            "json");

    assertThat(result.code()).isZero();
    assertThat(result.out()).contains("\"lines\":2", "\"closed\":true", "\"producer\":\"cli-");
    assertThat(call("streams", "info", "new").out()).contains("state", "closed", "text/plain");
    Cli.Result late = append("c\n", "streams", "append", "new");
    assertThat(late.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(late.err()).contains("is closed");
    assertThat(call("streams", "tail", "new", "--from", "-1").out()).isEqualTo("a\nb\n");
    assertThat(call("streams", "close", "new").code()).isZero();
  }

  @Test
  void emptyInputAppendsNothing() {
    created("text", "text/plain");

    Cli.Result result = append("", "streams", "append", "text");

    assertThat(result.code()).isZero();
    assertThat(result.out()).isEqualTo("nothing to append\n");
    assertThat(append("", "streams", "append", "text", "--close").out()).contains("closed it");
  }

  @Test
  void largeInputGoesInBatchesAndComesBackWhole() {
    created("text", "text/plain");
    String line = "0123456789".repeat(1000) + "\n";
    String input = line.repeat(300) + "x".repeat(2 << 20);

    assertThat(append(input, "streams", "append", "text").code()).isZero();

    assertThat(call("streams", "read", "text").out()).isEqualTo(input);
    assertThat(call("streams", "info", "text", "-o", "json").out())
        .contains("\"bytes\":" + input.length(), "\"producers\":[{\"id\":\"cli-");
  }

  @Test
  void lineBeyondItsLimitIsRefusedHoweverTheInputIsRead() {
    created("text", "text/plain");
    Cli.Result refused = append("a\n" + "x".repeat(9 << 20) + "\nb\n", "streams", "append", "text");

    assertThat(refused.code()).isEqualTo(ExitCode.USAGE);
    assertThat(refused.err()).contains("line 2 is longer than 8 MiB", "0 lines, 0 B are appended");
    assertThat(append("y".repeat(8 << 20) + "\n", "streams", "append", "text").code()).isZero();
  }

  @Test
  void namedProducerBeginsANewEpochEachTimeAndCanBeFenced() {
    created("text", "text/plain");
    append("a\n", "streams", "append", "text", "--producer", "importer");
    append("b\n", "streams", "append", "text", "--producer", "importer");

    assertThat(call("producers", "list", "text", "-o", "plain").out())
        .startsWith("importer\t1\t0\t")
        .endsWith("\tdeclared\n");
    assertThat(call("producers", "fence", "text", "importer", "-o", "json").out())
        .contains("\"epoch\":2", "\"fenced\":true");
    Cli.Result again = call("producers", "fence", "text", "importer", "--epoch", "2");
    assertThat(again.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(call("producers", "fence", "text", "nobody").code()).isEqualTo(ExitCode.NOT_FOUND);
    assertThat(append("c\n", "streams", "append", "text", "--producer", "importer").code())
        .isZero();
    assertThat(call("producers", "list", "text").out()).contains("PRODUCER", "its own");
  }

  @Test
  void forksAndExpiryAreShown() {
    created("source", "text/plain");
    append("abc", "streams", "append", "source");

    assertThat(call("streams", "create", "fork", "--from", "source", "--ttl", "1h").out())
        .contains("created fork, text/plain");
    append("def", "streams", "append", "fork");

    assertThat(call("streams", "read", "fork").out()).isEqualTo("abcdef");
    assertThat(call("streams", "info", "fork").out())
        .contains("forked from  source", "after 1h without use");
    assertThat(call("streams", "create", "half", "--from", "source", "--at", ZERO).code()).isZero();
    assertThat(call("streams", "read", "half").out()).isEmpty();
  }

  @Test
  void listIsPaged() {
    for (String path : new String[] {"b", "a/1", "a/2"}) {
      created(path, "text/plain");
    }

    assertThat(call("streams", "list", "-o", "plain").out())
        .isEqualTo(
            "a/1\ttext/plain\t0\topen\t%s\na/2\ttext/plain\t0\topen\t%s\nb\ttext/plain\t0\topen\t%s\n"
                .formatted(ZERO, ZERO, ZERO));
    Cli.Result page = call("streams", "list", "--prefix", "a/", "--limit", "1");
    assertThat(page.out()).contains("PATH", "a/1").doesNotContain("a/2");
    assertThat(page.err()).contains("--after a/1");
    assertThat(call("streams", "list", "--prefix", "a/", "--after", "a/1", "-o", "json").out())
        .contains("\"path\":\"a/2\"", "\"next\":null");
    assertThat(call("streams", "list", "--prefix", "z").err()).contains("no stream starts with");
  }

  @Test
  void deleteSaysHowMuchAndAsks() {
    created("text", "text/plain");
    append("abc", "streams", "append", "text");

    Cli.Result asked = call("streams", "delete", "text");
    assertThat(asked.code()).isEqualTo(ExitCode.USAGE);
    assertThat(asked.err()).contains("3 B of text/plain and 1 producers", "add -y");
    assertThat(new Cli(folder).typing("n\n").call("streams", "delete", "text").code())
        .isEqualTo(ExitCode.FAILED);
    assertThat(new Cli(folder).typing("y\n").call("streams", "delete", "text").out())
        .isEqualTo("deleted text\n");
    assertThat(call("streams", "delete", "text", "-y").code()).isEqualTo(ExitCode.NOT_FOUND);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "streams read nothing                               | 3 | there is no stream nothing",
        "streams tail nothing                               | 3 | there is no stream nothing",
        "streams info nothing                               | 3 | there is no stream nothing",
        "streams append nothing                             | 3 | there is no stream nothing",
        "streams close nothing                              | 3 | there is no stream nothing",
        "producers list nothing                             | 3 | there is no stream nothing",
        "streams create a --from nothing                    | 3 | there is no stream to fork from",
        "streams create a/../b                              | 2 | leads elsewhere",
        "streams create a --ttl 1h --expires-at 2030-01-01T00:00:00Z | 2 | exclude each other",
        "streams create a --ttl 1ms                         | 2 | whole seconds",
        "streams create a --type nonsense                   | 2 | is not a content type",
        "streams create a --at 0                            | 2 | --from",
        "streams read a --from 7                            | 2 | is not an offset",
        "streams read a --limit 0                           | 2 | --limit",
        "streams list --streams ftp://x                     | 2 | journal:DIR",
        "streams list --streams http://u:hunter2@x          | 2 | address is not valid",
        "streams list --streams http://127.0.0.1:1          | 5 | nobody answers at http://127.0.0.1:1",
        "streams list --streams http://127.0.0.1:1 --token missing | 2 | --token",
        "serve --streams http://127.0.0.1:1                 | 2 | journal:DIR",
        "serve --streams nats://127.0.0.1:1 --retain-age 1d  | 2 | keep all their data",
        "serve --streams nats://u:hunter2@127.0.0.1:1?x=1    | 2 | no parameter",
        "serve --streams nats://u:hunter2@127.0.0.1:1        | 5 | NATS can't be reached",
        "serve --port 99999                                 | 2 | the port 99999",
        "serve --token missing                              | 2 | token file",
        "serve --public-url ftp://x                         | 2 | the public address is",
        "serve --public-url https://x/behind                | 2 | the public address is",
      })
  void whatIsWrongIsSaidWithTheRightCode(String words, int code, String message) {
    Cli.Result result = call(words.split(" +", -1));

    assertThat(result.err()).contains(message).doesNotContain("hunter2", "should not have");
    assertThat(result.code()).isEqualTo(code);
    assertThat(result.out()).isEmpty();
    assertThat(folder.resolve("data").resolve("streams")).doesNotExist();
  }

  @Test
  void serverForOthersNeedsAToken() {
    Cli.Result result = call("serve", "--host", "0.0.0.0", "--port", "0", "--streams", "memory:");

    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("without a token");
  }

  @Test
  void conflictsEndWithTheirCode() {
    created("text", "text/plain");
    append("a\n", "streams", "append", "text");

    assertThat(call("streams", "create", "text").code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(call("streams", "create", "text", "--type", "text/plain").out())
        .startsWith("there already: text");
    Cli.Result other = append("1", "streams", "append", "text", "--type", "application/json");
    assertThat(other.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(other.err()).contains("holds text/plain");
    assertThat(call("streams", "read", "text", "-o", "json").code()).isEqualTo(ExitCode.USAGE);
  }

  @Test
  void folderThatAnotherHasIsSaidWithWhatToDo() {
    created("a", "text/plain");
    Path streams = folder.resolve("data").resolve("streams");
    JournalStreams held =
        JournalStreams.open(streams, InstantSource.system(), JournalStreams.Settings.defaults());
    try {
      Cli.Result result = call("streams", "list");

      assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
      assertThat(result.err()).contains("in use by process", "SEMEL_URL=http://127.0.0.1:4437");
      assertThat(call("serve", "--port", "0").code()).isEqualTo(ExitCode.UNREACHABLE);
    } finally {
      held.close();
    }
  }

  @Test
  void idleNamesOfOursAreUsedAgain() {
    Path streams = folder.resolve("data").resolve("streams");
    StreamPath path = new StreamPath("text");
    InstantSource anHourAgo = () -> java.time.Instant.now().minusSeconds(3600);
    ContentType type = ContentType.parse("text/plain");
    try (JournalStreams old =
        JournalStreams.open(streams, anHourAgo, JournalStreams.Settings.defaults())) {
      OpenStreams.get(old.create(CreateRequest.of(path, type)));
      byte[] body = "a\n".getBytes(StandardCharsets.UTF_8);
      OpenStreams.get(
          old.append(path, AppendRequest.of(type, body).by(new ProducerTuple("cli-x", 3, 0))));
    }

    Cli.Result again = append("b\n", "streams", "append", "text", "-o", "json");
    Cli.Result then = append("c\n", "streams", "append", "text", "-o", "json");

    assertThat(again.out()).contains("\"producer\":\"cli-x\"", "\"epoch\":4");
    assertThat(then.out()).doesNotContain("\"producer\":\"cli-x\"");
    assertThat(call("streams", "read", "text").out()).isEqualTo("a\nb\nc\n");
  }

  @Test
  void progressIsForWhoeverWatches() throws IOException {
    created("text", "text/plain");

    assertThat(new Cli(folder).typing("a\n").call("streams", "append", "text").err())
        .contains("appended 1 line, 2 B");
    assertThat(append("a\n", "streams", "append", "text").err()).isEmpty();
    assertThat(Files.exists(folder.resolve("data").resolve("semel.db"))).isFalse();
  }
}
