package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CompletionCommandTest {
  @TempDir Path folder;

  private String script(String shell) {
    Cli.Result result = new Cli(folder).call("completion", shell);
    assertThat(result.code()).isZero();
    return result.out();
  }

  /** The words that bash itself would offer. */
  private List<String> offered(String... words) throws IOException, InterruptedException {
    Path file = folder.resolve("semel.bash");
    Files.writeString(file, script("bash"));
    String all = String.join(" ", words);
    Process bash =
        new ProcessBuilder(
                "bash",
                "-c",
                "source %s; COMP_LINE='%s'; COMP_POINT=${#COMP_LINE}; COMP_WORDS=(%s); COMP_CWORD=%d; _complete_semel; printf '%%s\\n' \"${COMPREPLY[@]}\""
                    .formatted(file, all, all, words.length - 1))
            // Outside of a completion, bash complains of that, and completes anyway.
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String out = new String(bash.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertThat(bash.waitFor()).as(out).isZero();
    return out.lines().toList();
  }

  @Test
  void bashCompletesCommandsAndOptions() throws Exception {
    assertThat(offered("semel", "ke")).containsExactly("keys");
    assertThat(offered("semel", "keys", "w")).containsExactly("watch");
    assertThat(offered("semel", "keys", "watch", "--se")).contains("--seconds");
  }

  @Test
  void everyShellKnowsEveryCommand() {
    for (String shell : List.of("bash", "zsh", "fish")) {
      assertThat(script(shell))
          .contains("advise", "export", "keys", "tui", "prove")
          .doesNotContain("client-adapter"); // hidden, as in the help
    }
    assertThat(script("fish").lines())
        .contains("complete -c semel -f")
        .anyMatch(
            line -> line.startsWith("complete -c semel -n __fish_use_subcommand -a bench -d '"))
        .anyMatch(line -> line.contains("__fish_seen_subcommand_from watch' -l seconds -r"));
  }

  @Test
  void otherShellsAreRefused() {
    Cli.Result other = new Cli(folder).call("completion", "tcsh");
    assertThat(other.code()).isEqualTo(ExitCode.USAGE);
    assertThat(other.err()).contains("bash, zsh or fish");
  }
}
