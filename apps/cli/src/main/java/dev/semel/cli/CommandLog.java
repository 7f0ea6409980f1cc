package dev.semel.cli;

import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import java.io.PrintStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.text.MessageFormat;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import java.util.ResourceBundle;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Receives the JDK's {@link System.Logger} messages in the command. Servers print them on standard
 * error, a line each; other commands report their results themselves, so their log goes nowhere.
 * Loading the JDK's own logging would cost every command more than it runs.
 */
public final class CommandLog extends System.LoggerFinder {
  /** These loggers write events, which {@code --log json} has written already. */
  private static final Set<String> EVENTS =
      Set.of("dev.semel.idempotency", "dev.semel.job", "dev.semel.alert", "dev.semel.admin");

  private static volatile @Nullable Output output;

  private record Output(PrintStream stream, boolean json) {}

  /** Turns the log on, for servers. */
  static void on(PrintStream stream, boolean json) {
    output = new Output(stream, json);
  }

  @Override
  public System.Logger getLogger(String name, Module module) {
    return new Logger(name);
  }

  private record Logger(String name) implements System.Logger {
    @Override
    public String getName() {
      return name;
    }

    @Override
    public boolean isLoggable(Level level) {
      Level least = name.startsWith("dev.semel") ? Level.INFO : Level.WARNING;
      return output != null && level != Level.OFF && level.compareTo(least) >= 0;
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String text,
        @Nullable Throwable thrown) {
      Output to = output;
      if (to == null || !isLoggable(level) || (to.json && EVENTS.contains(name))) {
        return;
      }
      to.stream.println(
          to.json ? json(level, String.valueOf(text), thrown) : line(level, text, thrown));
      to.stream.flush();
    }

    @Override
    public void log(
        Level level,
        @Nullable ResourceBundle bundle,
        @Nullable String format,
        @Nullable Object @Nullable ... parameters) {
      boolean plain = parameters == null || parameters.length == 0 || format == null;
      log(
          level,
          bundle,
          plain ? format : MessageFormat.format(format, parameters),
          (Throwable) null);
    }

    private String line(Level level, @Nullable String text, @Nullable Throwable thrown) {
      String line = "%s %s %s: %s".formatted(now(), level.getName(), name, text);
      return thrown == null ? line : line + System.lineSeparator() + trace(thrown).stripTrailing();
    }

    private String json(Level level, String text, @Nullable Throwable thrown) {
      JsonObjectBuilder line =
          Json.object()
              .with(
                  "level", level == Level.WARNING ? "warn" : level.name().toLowerCase(Locale.ROOT))
              .with("ts", now())
              .with("msg", text)
              .with("logger", name);
      return (thrown == null ? line : line.with("error", trace(thrown))).write();
    }

    private static String now() {
      return Instant.now().truncatedTo(ChronoUnit.MILLIS).toString();
    }

    private static String trace(Throwable thrown) {
      StringWriter text = new StringWriter();
      thrown.printStackTrace(new PrintWriter(text));
      return text.toString();
    }
  }
}
