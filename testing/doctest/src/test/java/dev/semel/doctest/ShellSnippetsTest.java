package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.CommandManual;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/**
 * Every call of {@code semel} in a page is one that the command would take: what stands behind a
 * prompt is parsed as it is; in synopses and in the text, commands and options must exist.
 */
class ShellSnippetsTest {
  private static final Pattern SPAN = Pattern.compile("`(?:\\./)?semel ([^`]+)`");
  private static final Pattern SYNOPSIS = Pattern.compile("(?:\\./)?semel ([a-z].*)");
  private static final Pattern OPTION = Pattern.compile("(?<![\\w-])--[a-z][a-z0-9-]*");
  private static final String PROMPT = "$ ";

  @Test
  void whatStandsBehindAPromptIsTaken() {
    List<String> refused = new ArrayList<>();
    int parsed = 0;
    for (Page page : Book.pages()) {
      for (Page.Fence fence : page.fences()) {
        for (String line : prompted(fence)) {
          for (ShellLine call : ShellLine.calls(line)) {
            parsed++;
            refusal(call).ifPresent(why -> refused.add(page.name() + ": " + line + "\n  " + why));
          }
        }
      }
    }
    assertThat(refused).isEmpty();
    assertThat(parsed).isGreaterThan(30);
  }

  /** A line that ends with a backslash goes on in the next. */
  private static List<String> prompted(Page.Fence fence) {
    List<String> lines = new ArrayList<>();
    boolean plain = fence.language().equals("sh");
    String joined = fence.text().replace("\\\n", " ");
    for (String line : joined.lines().toList()) {
      if (line.startsWith(PROMPT)) {
        lines.add(line.substring(PROMPT.length()));
      } else if (plain) {
        lines.add(line);
      }
    }
    return lines;
  }

  private static Optional<String> refusal(ShellLine call) {
    if (!call.whole()) {
      return unknown(String.join(" ", call.words()));
    }
    try {
      CommandLine.ParseResult unused =
          CommandManual.commands().parseArgs(call.words().toArray(new String[0]));
      return Optional.empty();
    } catch (ParameterException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  @Test
  void commandsAndOptionsOfSynopsesAndTextExist() {
    List<String> unknown = new ArrayList<>();
    int looked = 0;
    for (Page page : Book.pages()) {
      for (String call : mentioned(page)) {
        looked++;
        unknown(call).ifPresent(why -> unknown.add(page.name() + ": semel " + call + "\n  " + why));
      }
    }
    assertThat(unknown).isEmpty();
    assertThat(looked).isGreaterThan(150);
  }

  private static List<String> mentioned(Page page) {
    List<String> calls = new ArrayList<>();
    String prose = String.join(" ", page.prose());
    SPAN.matcher(prose).results().forEach(found -> calls.add(found.group(1)));
    for (Page.Fence fence : page.fences()) {
      if (fence.language().isEmpty()) {
        for (String line : fence.lines()) {
          Matcher synopsis = SYNOPSIS.matcher(line);
          if (synopsis.matches()) {
            calls.add(synopsis.group(1).split(" +(#|→)|  +", 2)[0]);
          }
        }
      }
    }
    return calls;
  }

  /** What is wrong with a call of which only commands and options count. */
  private static Optional<String> unknown(String call) {
    String ours = call.split(" -- ", 2)[0];
    List<CommandLine> commands = new ArrayList<>(List.of(CommandManual.commands()));
    for (String word : ours.split(" +", -1)) {
      if (word.equals("…")) {
        // Arguments where the command is no group.
        List<CommandLine> below = List.copyOf(commands.get(0).getSubcommands().values());
        commands = below.isEmpty() ? commands : below;
        break;
      }
      boolean group = !commands.get(0).getSubcommands().isEmpty();
      if (!group || !word.matches("[a-z][a-z-]*([|,][a-z…-]+)*[,:]?")) {
        break;
      }
      List<CommandLine> next = new ArrayList<>();
      for (String name : word.split("[|,:]+", -1)) {
        if (!name.isEmpty() && !name.equals("…")) {
          CommandLine below = commands.get(0).getSubcommands().get(name);
          if (below == null) {
            return Optional.of("there is no command " + name);
          }
          next.add(below);
        }
      }
      commands = next;
    }
    for (Matcher option = OPTION.matcher(ours); option.find(); ) {
      String name = option.group();
      if (commands.stream().noneMatch(c -> c.getCommandSpec().findOption(name) != null)) {
        return Optional.of("there is no option " + name);
      }
    }
    return Optional.empty();
  }
}
