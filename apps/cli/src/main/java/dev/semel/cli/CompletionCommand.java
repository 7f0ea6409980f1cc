package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints a script that makes a shell complete our commands and options. */
@CommandLine.Command(
    name = "completion",
    header = "Print what a shell needs to complete commands and options.",
    footer = {
      "",
      "Examples:",
      "  source <(semel completion bash)            # in ~/.bashrc or ~/.zshrc",
      "  semel completion fish > ~/.config/fish/completions/semel.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  private static final String NAME = "semel";

  private final SemelCommand semel;

  @Spec
  @SuppressWarnings("NullAway.Init") // set by the parser
  private CommandSpec spec;

  @Parameters(paramLabel = "bash|zsh|fish", description = "Which shell.")
  private @Nullable String shell;

  CompletionCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    semel.refuseOutputFlag("the shell reads it");
    CommandLine all = spec.root().commandLine();
    String script =
        switch (SemelCommand.given(shell)) {
          // One script for both: in zsh it turns on bash's kind of completion.
          case "bash", "zsh" -> AutoComplete.bash(NAME, all);
          case "fish" -> FishCompletion.of(NAME, all);
          default ->
              throw new InvalidInput(
                  "there is no completion for %s: use bash, zsh or fish"
                      .formatted(PrintableText.quoted(SemelCommand.given(shell))));
        };
    semel.console().line(script.stripTrailing());
    return ExitCode.OK;
  }
}
