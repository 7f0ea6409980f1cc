package dev.semel.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.admin.EditConflict;
import dev.semel.cli.run.OutOfTime;
import dev.semel.cli.run.RunCommand.OnFailure;
import dev.semel.idempotency.TakeoverPolicy;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.stream.StreamPath;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Help;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;
import picocli.CommandLine.UnmatchedArgumentException;

/** Parses a command line, and turns errors into messages and exit codes. */
public final class CommandLines {
  private static final int WIDTH = 80;

  private static final ITypeConverter<Duration> DURATION = reading(DurationText::parse);

  private CommandLines() {}

  /** Parses the options of this object alone, with the rules of every command line. */
  public static CommandLine ofOptions(Object options) {
    return new CommandLine(options).registerConverter(Duration.class, DURATION);
  }

  static void configure(CommandLine line, Console console, Environment around) {
    line.setOut(new PrintWriter(console.streams().out(), true, UTF_8));
    line.setErr(new PrintWriter(console.streams().err(), true, UTF_8));
    line.setColorScheme(Help.defaultColorScheme(console.colour() ? Help.Ansi.ON : Help.Ansi.OFF));
    line.setUsageHelpWidth(WIDTH);
    line.setExpandAtFiles(false); // a word of the command to run never names a file of ours
    line.registerConverter(Duration.class, DURATION);
    line.registerConverter(Key.class, reading(SemelCommand::key));
    line.registerConverter(StreamPath.class, reading(StreamPath::new));
    line.registerConverter(Token.class, reading(Token::parse));
    line.registerConverter(TakeoverPolicy.class, choosing(TakeoverPolicy.class));
    ITypeConverter<OnFailure> onFailure = choosing(OnFailure.class);
    line.registerConverter(
        OnFailure.class,
        text -> text.equals(OnFailure.STORE_BEFORE) ? OnFailure.STORE : onFailure.convert(text));
    // What follows the first word of the command to run belongs to it, with or without --.
    CommandLine run = line.getSubcommands().get("run");
    if (run != null) {
      run.setStopAtPositional(true);
    }
    line.setParameterExceptionHandler((e, args) -> misused(e, console));
    line.setExecutionExceptionHandler((e, cmd, parsed) -> failed(e, console, around));
  }

  private static <T> ITypeConverter<T> reading(Function<String, T> reader) {
    return text -> {
      try {
        return reader.apply(text);
      } catch (InvalidInput e) {
        throw new TypeConversionException(e.getMessage());
      }
    };
  }

  private static <E extends Enum<E>> ITypeConverter<E> choosing(Class<E> type) {
    return text -> {
      for (E choice : type.getEnumConstants()) {
        if (PrintableText.word(choice).equals(text)) {
          return choice;
        }
      }
      StringBuilder choices = new StringBuilder();
      for (E choice : type.getEnumConstants()) {
        choices.append(choices.isEmpty() ? "" : " or ").append(PrintableText.word(choice));
      }
      throw new TypeConversionException("use " + choices);
    };
  }

  private static int misused(ParameterException e, Console console) {
    CommandLine command = e.getCommandLine();
    console.complain(unknownCommand(e).orElseGet(() -> String.valueOf(e.getMessage())));
    if (!UnmatchedArgumentException.printSuggestions(e, command.getErr())) {
      command.getErr().printf("Try: %s --help%n", command.getCommandSpec().qualifiedName());
    }
    return ExitCode.USAGE;
  }

  private static Optional<String> unknownCommand(ParameterException e) {
    Set<String> commands = e.getCommandLine().getSubcommands().keySet();
    if (e instanceof UnmatchedArgumentException u && !u.isUnknownOption() && !commands.isEmpty()) {
      return Optional.of(
          "there is no command %s; there are %s"
              .formatted(
                  PrintableText.quoted(u.getUnmatched().get(0)), String.join(", ", commands)));
    }
    return Optional.empty();
  }

  static int failed(Exception e, Console console, Environment around) {
    if (around.debug()) {
      e.printStackTrace(console.streams().err());
    }
    return switch (e) {
      case InvalidInput i -> ended(console, i, ExitCode.USAGE);
      case OutOfTime t -> ended(console, t, ExitCode.TIMEOUT);
      case EditConflict c -> ended(console, c, ExitCode.CONFLICT);
      case StoreException s -> ended(console, s, ExitCode.UNREACHABLE);
      default -> {
        console.complain(
            "this should not have happened: %s (SEMEL_DEBUG=1 shows where)".formatted(e));
        yield ExitCode.FAILED;
      }
    };
  }

  private static int ended(Console console, Exception e, int code) {
    console.complain(String.valueOf(e.getMessage()));
    return code;
  }
}
