package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Wrong input ends with the right code and a message that helps, and leaves nothing behind. */
class BadInputTest {
  @TempDir Path folder;

  static Stream<Arguments> wrongCalls() {
    return Stream.of(
        wrong(2, "empty", "run", "--key", "", "--", "echo"),
        wrong(2, "limit is 256", "run", "--key", "k".repeat(300), "--", "echo"),
        wrong(2, "control characters", "run", "--key", "a\u001b[31mb", "--", "echo"),
        wrong(2, "control characters", "run", "--key", "a\u0000b", "--", "echo"),
        wrong(2, "control characters", "run", "--key", "a\nb", "--", "echo"),
        wrong(2, "control characters", "run", "--key", "a\u202eb", "--", "echo"),
        wrong(2, "not valid UTF-8", "run", "--key", "a\ufffdb", "--", "echo"),
        wrong(2, "not valid UTF-8", "run", "--key", "a", "--", "echo", "\ufffd"),
        wrong(2, "tenant", "run", "--key", "t".repeat(65) + "/op:1", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "-5s", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "0", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "0s", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "soon", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "", "--", "echo"),
        wrong(2, "3650", "run", "--key", "a", "--ttl", "4000d", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--ttl", "99999999999999999999d", "--", "echo"),
        wrong(2, "--lease", "run", "--key", "a", "--lease", "0s", "--", "echo"),
        wrong(2, "lease", "run", "--key", "a", "--lease", "48h", "--ttl", "72h", "--", "echo"),
        wrong(2, "--ttl", "run", "--key", "a", "--lease", "1h", "--ttl", "1m", "--", "echo"),
        wrong(2, "--wait", "run", "--key", "a", "--wait", "-1s", "--", "echo"),
        wrong(2, "in-doubt or run-again", "run", "--key", "a", "--takeover", "x", "--", "echo"),
        wrong(2, "store or release", "run", "--key", "a", "--on-failure", "x", "--", "echo"),
        wrong(2, "--max-output", "run", "--key", "a", "--max-output", "lots", "--", "echo"),
        wrong(2, "16 MiB", "run", "--key", "a", "--max-output", "17MiB", "--", "echo"),
        wrong(2, "request id", "run", "--key", "a", "--request-id", "a\nb", "--", "echo"),
        wrong(2, "request id", "run", "--key", "a", "--request-id", "r".repeat(200), "--", "echo"),
        wrong(2, "--key", "run", "--", "echo"),
        wrong(2, "COMMAND", "run", "--key", "a"),
        wrong(2, "COMMAND", "run", "--key", "a", "--"),
        wrong(127, "no command", "run", "--key", "a", "--", "no-such-command-here"),
        wrong(127, "no command", "run", "--key", "a", "--", ""),
        wrong(127, "no command", "run", "--key", "a", "--", "a\u0000b"),
        wrong(2, "-o has no meaning", "run", "-o", "json", "--key", "a", "--", "echo"),
        wrong(2, "memory:, sqlite:FILE", "run", "--store", "ftp://x", "--key", "a", "--", "echo"),
        wrong(2, "names no scheme", "run", "--store", "semel.db", "--key", "a", "--", "echo"),
        wrong(2, "there is no store", "run", "--store", "kafka://x", "--key", "a", "--", "echo"),
        wrong(2, "there is no store", "keys", "list", "--store", "nats://u:secret@h"),
        wrong(2, "no database", "keys", "list", "--store", "postgresql://u:secret@h"),
        wrong(2, "no database", "keys", "list", "--store", "mariadb://u:secret@h/"),
        wrong(2, "percent-encoded", "keys", "list", "--store", "mariadb://u:secret^@h/d"),
        wrong(2, "\"nope\"", "keys", "list", "--store", "mariadb://u:secret@h/d?nope=1"),
        wrong(5, "127.0.0.1", "keys", "list", "--store", "mariadb://u:secret@127.0.0.1:1/d"),
        wrong(2, "names no file", "run", "--store", "sqlite:", "--key", "a", "--", "echo"),
        wrong(2, "folder", "run", "--store", "sqlite:.", "--key", "a", "--", "echo"),
        wrong(2, "--store has no value", "run", "--store", "", "--key", "a", "--", "echo"),
        wrong(2, "Redis URL", "keys", "list", "--store", "redis://u:secret@"),
        wrong(5, "127.0.0.1:1", "keys", "list", "--store", "redis://u:secret@127.0.0.1:1"),
        wrong(2, "not a token", "keys", "release", "a", "--token", "xyz"),
        wrong(2, "limit", "keys", "list", "--limit", "0"),
        wrong(2, "limit", "keys", "list", "--limit", "-1"),
        wrong(2, "limit", "keys", "list", "--limit", "x"),
        wrong(2, "output format", "keys", "list", "-o", "xml"),
        wrong(2, "use in_flight", "keys", "list", "--state", "lost", "-o", "json"),
        wrong(2, "empty", "keys", "inspect", ""),
        wrong(2, "KEY", "keys", "inspect"),
        wrong(2, "--nonsense", "keys", "list", "--nonsense"),
        wrong(2, "subcommand", "keys"),
        wrong(2, "subcommand"),
        wrong(2, "there is no command \"nonsense\"", "nonsense"),
        wrong(2, "there is no command \"\\u001b[31m\"", "\u001b[31m"),
        wrong(2, "there are list, inspect,", "keys", "lsit"),
        wrong(2, "Did you mean", "stat"),
        wrong(2, "delay, cut, silent, lost-answers, kill, stop", "prove", "--faults", "flood"),
        wrong(2, "there is no fault \"\"", "prove", "--faults", "kill,"),
        wrong(2, "1 to 3600 seconds", "prove", "--seconds", "0"),
        wrong(2, "1 to 16 workers", "prove", "--workers", "17"),
        wrong(2, "--seed", "prove", "--seed", "x"),
        wrong(2, "in a folder that is there", "prove", "--report", "nowhere/report.html"),
        wrong(2, "names no file", "prove", "--store", "sqlite:"),
        wrong(2, "Redis URL", "prove", "--store", "redis://u:secret@"),
        wrong(5, "127.0.0.1:1", "prove", "--store", "redis://u:secret@127.0.0.1:1"),
        wrong(2, "there is no demo", "demo", "tripple-click"),
        wrong(2, "there is no command", "help", "nothing"));
  }

  private static Arguments wrong(int code, String says, String... args) {
    return Arguments.of(code, says, List.of(args));
  }

  @ParameterizedTest(name = "{2} ends with {0}")
  @MethodSource("wrongCalls")
  void isRefusedWithoutATrace(int code, String says, List<String> args) {
    Cli cli = new Cli(folder);

    Cli.Result result = cli.call(args.toArray(new String[0]));

    assertThat(result.err()).contains(says);
    assertThat(result.code()).isEqualTo(code);
    assertThat(result.out()).isEmpty();
    assertThat(result.err()).doesNotContain("\tat ", "Exception", "secret", "\u001b", "\u202e");
    assertThat(new Cli(folder).call("keys", "list", "-o", "jsonl").out()).isEmpty();
  }

  @Test
  void fileThatIsNoDatabaseIsUnreachable() throws IOException {
    Path file = Files.writeString(folder.resolve("text.db"), "this is no database".repeat(100));

    Cli.Result result = new Cli(folder).call("keys", "list", "--store", "sqlite:" + file);

    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.err()).contains("text.db").doesNotContain("\tat ");
  }

  @Test
  void stackTraceIsShownOnlyToThoseWhoDebug() {
    Cli cli = new Cli(folder).with("SEMEL_DEBUG", "1");

    assertThat(cli.call("keys", "list", "--store", "nope:x").err()).contains("\tat ");
  }
}
