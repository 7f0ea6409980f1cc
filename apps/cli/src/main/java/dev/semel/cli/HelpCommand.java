package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Prints the help of a command, like {@code --help}. */
@CommandLine.Command(
    name = "help",
    header = "Show help about a command.",
    footer = {"", "Example:", "  semel help keys list"})
final class HelpCommand implements Callable<Integer> {
  @Spec private @Nullable CommandSpec spec;

  @Parameters(
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "The command, such as: keys list")
  private List<String> names = new ArrayList<>();

  @Override
  public Integer call() {
    CommandLine line = SemelCommand.given(spec).root().commandLine();
    for (String name : names) {
      CommandLine sub = line.getSubcommands().get(name);
      if (sub == null) {
        throw new InvalidInput(
            "there is no command %s: see semel help".formatted(PrintableText.quoted(name)));
      }
      line = sub;
    }
    line.usage(line.getOut());
    return ExitCode.OK;
  }
}
