package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.CommandManual;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Every command with its help, and every code that one may end with. */
class CommandsPageTest {
  private static final Pattern CODE = Pattern.compile("static final int ([A-Z_]+) = (\\d+);");

  private static final Help.ColorScheme PLAIN = Help.defaultColorScheme(Help.Ansi.OFF);

  @Test
  void thePageHasEveryCommand() {
    StringBuilder text = new StringBuilder();
    append(CommandManual.commands(), text);
    Generated.part(Book.DOCS.resolve("reference/commands.md"), "commands", text.toString());
  }

  private static void append(CommandLine command, StringBuilder text) {
    CommandSpec spec = command.getCommandSpec();
    Help help = command.getHelp();
    List<OptionSpec> own =
        spec.options().stream()
            .filter(option -> !option.hidden())
            .filter(option -> !option.inherited() || spec.parent() == null)
            .toList();
    Help.Layout arguments = help.createDefaultLayout(own, spec.positionalParameters(), PLAIN);
    arguments.addAllPositionalParameters(
        spec.positionalParameters(), help.parameterLabelRenderer());
    arguments.addAllOptions(own, help.parameterLabelRenderer());
    String shown =
        help.synopsis(0) + help.description() + arguments + help.commandList() + help.footer();
    text.append("## `").append(spec.qualifiedName()).append("`\n\n");
    text.append(String.join(" ", spec.usageMessage().header())).append("\n\n```text\n");
    text.append(shown.lines().map(String::stripTrailing).collect(Collectors.joining("\n")).strip());
    text.append("\n```\n\n");
    command.getSubcommands().values().stream()
        .filter(below -> !below.getCommandSpec().usageMessage().hidden())
        .forEach(below -> append(below, text));
  }

  @Test
  void everyExitCodeIsExplained() {
    String source =
        Book.text(Book.ROOT.resolve("apps/cli/src/main/java/dev/semel/cli/ExitCode.java"));
    Page page = Book.page("docs/reference/exit-codes.md");
    var codes = CODE.matcher(source).results().map(found -> found.group(2)).toList();
    assertThat(codes).hasSizeGreaterThan(8);
    assertThat(codes).allSatisfy(code -> assertThat(page.text()).contains("\n| `" + code + "` |"));
    assertThat(Pattern.compile("\n\\| `\\d+` \\|").matcher(page.text()).results().count())
        .isEqualTo(codes.size());
  }
}
