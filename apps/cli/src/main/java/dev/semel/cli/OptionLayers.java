package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.ArgGroupSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Resolves one command's options from all layers: {@code --port} on its command line, else {@code
 * SEMEL_GATEWAY_PORT}, else {@code gateway.port} in {@code semel.yaml}. Of options that exclude
 * each other, the nearest layer that names one decides.
 */
public final class OptionLayers {
  private final String command;
  private final CommandLine options;
  private final List<Map<String, CommandSettings.Value>> layers;

  /** Values from other layers than the command line, by the option's name. */
  private final Map<String, CommandSettings.Value> taken = new LinkedHashMap<>();

  /**
   * @param options parses the command's own options, and has not parsed any yet
   * @param layers the nearest first
   */
  public OptionLayers(
      String command, CommandLine options, List<Map<String, CommandSettings.Value>> layers) {
    this.command = command;
    this.options = options;
    this.layers = layers;
  }

  /** The options' names in {@code semel.yaml}. */
  static Set<String> names(String command, CommandLine options) {
    return options.getCommandSpec().options().stream()
        .map(option -> name(command, option))
        .collect(Collectors.toUnmodifiableSet());
  }

  private static String name(String command, OptionSpec option) {
    return command + "." + option.longestName().substring("--".length());
  }

  /**
   * Fills in all options, and then builds the result from them.
   *
   * @param given the parsed command line
   * @throws InvalidInput a value is wrong; the message names its origin
   */
  public <T> T settle(ParseResult given, Supplier<T> made) {
    refuseUnknown();
    take(given);
    try {
      options.parseArgs(arguments(given).toArray(new String[0]));
      return made.get();
    } catch (ParameterException e) {
      throw refused(
          e.getArgSpec() instanceof OptionSpec option ? taken.get(option.longestName()) : null,
          String.valueOf(e.getMessage()));
    } catch (InvalidInput e) {
      throw refused(null, String.valueOf(e.getMessage()));
    }
  }

  /** Refuses unknown names in files, because files are ours. The environment is everyone's. */
  private void refuseUnknown() {
    Set<String> known = names(command, options);
    for (Map<String, CommandSettings.Value> layer : layers) {
      layer.forEach(
          (name, value) -> {
            if (name.startsWith(command + ".") && !known.contains(name) && !value.isVariable()) {
              throw new InvalidInput(
                  "%s: there is no setting %s; semel %s --help shows the options"
                      .formatted(value.origin(), PrintableText.quoted(name), command));
            }
          });
    }
  }

  private void take(ParseResult given) {
    Set<String> said = new HashSet<>();
    Set<ArgGroupSpec> decided = new HashSet<>();
    for (OptionSpec option : options.getCommandSpec().options()) {
      OptionSpec matched = given.matchedOption(option.longestName());
      if (matched != null) {
        said.add(option.longestName());
        decide(decided, option, value(matched));
      }
    }
    for (Map<String, CommandSettings.Value> layer : layers) {
      Set<ArgGroupSpec> here = new HashSet<>();
      for (OptionSpec option : options.getCommandSpec().options()) {
        CommandSettings.Value value = layer.get(name(command, option));
        boolean free = option.group() == null || !decided.contains(option.group());
        if (value != null && free && said.add(option.longestName())) {
          taken.put(option.longestName(), value);
          decide(here, option, value.text());
        }
      }
      decided.addAll(here);
    }
  }

  /** An option that is turned off leaves the others of its group open. */
  private static void decide(Set<ArgGroupSpec> decided, OptionSpec option, String value) {
    if (option.group() != null && !isOff(option, value)) {
      decided.add(option.group());
    }
  }

  private static boolean isFlag(OptionSpec option) {
    return option.arity().max() == 0;
  }

  private static boolean isOff(OptionSpec option, String value) {
    return isFlag(option) && value.equalsIgnoreCase("false");
  }

  private List<String> arguments(ParseResult given) {
    List<String> arguments = new ArrayList<>();
    for (OptionSpec option : options.getCommandSpec().options()) {
      OptionSpec matched = given.matchedOption(option.longestName());
      CommandSettings.Value value = taken.get(option.longestName());
      Stream<String> texts =
          matched != null
              ? texts(matched)
              : value != null ? Stream.of(value.text()) : Stream.empty();
      texts
          .filter(text -> !isOff(option, text)) // off is like absent, and no choice in a group
          .forEach(text -> arguments.add(option.longestName() + "=" + text));
    }
    return arguments;
  }

  private static Stream<String> texts(OptionSpec matched) {
    return isFlag(matched) ? Stream.of(value(matched)) : matched.originalStringValues().stream();
  }

  private static String value(OptionSpec matched) {
    Object value = matched.getValue();
    return String.valueOf(value);
  }

  /** Names the origin of a value, because the user may never have written that option. */
  private InvalidInput refused(CommandSettings.@Nullable Value by, String message) {
    if (by != null) {
      return new InvalidInput(by.origin() + ": " + message);
    }
    String others =
        taken.entrySet().stream()
            .map(e -> e.getKey() + " by " + e.getValue().origin())
            .collect(Collectors.joining(", "));
    return new InvalidInput(others.isEmpty() ? message : message + " (set: " + others + ")");
  }
}
