package dev.semel.doctest;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The calls of {@code semel} in a line of a shell, as words.
 *
 * @param words behind the command's own name
 * @param whole false: something was left out, such as with an ellipsis
 */
record ShellLine(List<String> words, boolean whole) {
  private static final Pattern ASSIGNMENT = Pattern.compile("[A-Z_]+=.*");
  private static final String ENDS = "|&;<>()";

  static List<ShellLine> calls(String line) {
    List<ShellLine> calls = new ArrayList<>();
    for (List<String> command : commands(line)) {
      of(command).ifPresent(calls::add);
    }
    return calls;
  }

  private static Optional<ShellLine> of(List<String> command) {
    int at = 0;
    while (at < command.size()
        && (ASSIGNMENT.matcher(command.get(at)).matches() || command.get(at).equals("exec"))) {
      at++;
    }
    if (at == command.size() || !command.get(at).matches("(.*/)?semel")) {
      return Optional.empty();
    }
    List<String> words = command.subList(at + 1, command.size());
    return Optional.of(new ShellLine(List.copyOf(words), !String.join(" ", words).contains("…")));
  }

  /** Cut into commands and those into words; comments are dropped. */
  private static List<List<String>> commands(String line) {
    List<List<String>> commands = new ArrayList<>();
    List<String> words = new ArrayList<>();
    StringBuilder word = new StringBuilder();
    boolean begun = false;
    char quote = 0;
    for (int i = 0; i < line.length(); i++) {
      char c = line.charAt(i);
      if (quote != 0) {
        if (c == quote) {
          quote = 0;
        } else {
          word.append(c);
        }
      } else if (c == '\'' || c == '"') {
        quote = c;
        begun = true;
      } else if (c == '#' && !begun) {
        break;
      } else if (c == ' ' || ENDS.indexOf(c) >= 0) {
        if (begun) {
          words.add(word.toString());
          word.setLength(0);
          begun = false;
        }
        if (c != ' ') {
          commands.add(List.copyOf(words));
          words.clear();
        }
      } else {
        word.append(c);
        begun = true;
      }
    }
    if (begun) {
      words.add(word.toString());
    }
    commands.add(List.copyOf(words));
    return commands;
  }
}
