package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class HelpTest {
  @TempDir Path folder;

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "run",
        "keys",
        "keys list",
        "keys inspect",
        "keys watch",
        "keys release",
        "keys delete",
        "keys hash",
        "tui",
        "stats",
        "stats reset",
        "queues",
        "queues list",
        "queues set",
        "audit",
        "audit list",
        "audit verify",
        "audit erase",
        "config",
        "config show",
        "config set",
        "config check",
        "cleanup",
        "migrate",
        "backup",
        "serve",
        "gateway",
        "streams",
        "streams list",
        "streams info",
        "streams create",
        "streams append",
        "streams read",
        "streams tail",
        "streams close",
        "streams delete",
        "producers",
        "producers list",
        "producers fence",
        "jobs",
        "jobs list",
        "jobs dead",
        "jobs retry",
        "outbox",
        "outbox status",
        "outbox list",
        "outbox retry",
        "outbox replay",
        "outbox purge",
        "outbox audit",
        "outbox ddl",
        "inbox",
        "inbox status",
        "inbox list",
        "inbox purge",
        "inbox ddl",
        "alerts",
        "doctor",
        "advise",
        "export",
        "bench",
        "completion",
        "prove",
        "demo",
        "client-adapter",
        "help"
      })
  void everyCommandHasHelpWithAnExampleThatFitsTheScreen(String command) {
    List<String> words = command.isEmpty() ? List.of() : List.of(command.split(" ", -1));
    String[] flag = concat(words, "--help");

    Cli.Result result = new Cli(folder).call(flag);

    assertThat(result.code()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.out()).contains("Usage:").contains("Example");
    assertThat(result.out().lines()).allMatch(line -> line.length() <= 80);
    if (!command.equals("help")) {
      assertThat(new Cli(folder).call(concat(List.of("help"), words.toArray(new String[0]))).out())
          .isEqualTo(result.out());
    }
  }

  private static String[] concat(List<String> first, String... then) {
    List<String> all = new java.util.ArrayList<>(first);
    all.addAll(List.of(then));
    return all.toArray(new String[0]);
  }

  @Test
  void versionIsTheBuildsOwn() {
    assertThat(new Cli(folder).call("--version").out())
        .matches("semel \\d+\\.\\d+\\S* \\(Java \\d+\\)\n");
  }

  @Test
  void colourIsOnlyForTerminalsThatWantIt() {
    assertThat(new Cli(folder).call("--help").out()).doesNotContain("\u001b");
    assertThat(new Cli(folder).onTerminal().call("--help").out()).contains("\u001b[");
    assertThat(new Cli(folder).onTerminal().with("NO_COLOR", "1").call("--help").out())
        .doesNotContain("\u001b");
  }
}
