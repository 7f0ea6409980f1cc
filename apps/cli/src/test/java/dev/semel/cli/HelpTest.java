package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

class HelpTest {
  @TempDir Path folder;

  static Stream<String> commands() {
    return within("", CommandManual.commands());
  }

  /** A command and all below it, each with the words that lead to it. */
  private static Stream<String> within(String words, CommandLine command) {
    return Stream.concat(
        Stream.of(words.strip()),
        command.getSubcommands().entrySet().stream()
            .flatMap(each -> within(words + " " + each.getKey(), each.getValue())));
  }

  @ParameterizedTest
  @MethodSource("commands")
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
