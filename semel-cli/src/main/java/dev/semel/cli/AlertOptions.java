package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.alert.AlertSettings;
import dev.semel.webhook.EventFeed;
import dev.semel.webhook.Webhook;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** When a server raises an alert and whom it tells, whoever says so: see {@link OptionLayers}. */
final class AlertOptions {
  /** Keeps the secret itself off the disk. */
  static final String SECRET = "SEMEL_WEBHOOK_SECRET";

  private static final int MAX_SECRET_BYTES = 4096;
  static final String COMMAND = "serve";

  @Option(
      names = "--alert",
      paramLabel = "RULE=LIMIT",
      description =
          "An alert's limit: outbox-lag=10m, error-rate=2%%,after=5m,clear=10m, memory=off; may be"
              + " given more than once.")
  private List<String> alerts = List.of();

  @Option(
      names = "--alert-every",
      paramLabel = "TIME",
      description = "How often alerts are looked at (default: 10s).")
  private @Nullable Duration every;

  @Option(
      names = "--webhook",
      paramLabel = "URL",
      description = "Tell this address of alerts; may be given more than once.")
  private List<String> webhooks = List.of();

  @Option(
      names = "--webhook-secret",
      paramLabel = "FILE",
      description = "What webhooks are signed with (or SEMEL_WEBHOOK_SECRET, the secret itself).")
  private @Nullable String secret;

  @Option(
      names = "--webhook-events",
      paramLabel = "KINDS",
      description =
          "Tell of these events too, such as replayed,in-doubt; duplicates: all that is about"
              + " those.")
  private List<String> events = List.of();

  @Option(
      names = "--webhook-operations",
      paramLabel = "NAMES",
      description = "Only events of these operations.")
  private List<String> operations = List.of();

  /** All of them, as flags, variables and files say together. */
  static AlertOptions settled(Semel semel, ParseResult given) {
    AlertOptions all = new AlertOptions();
    return new OptionLayers(
            COMMAND, CommandLines.ofOptions(all), Settings.layers(semel.flags(), semel.around()))
        .settle(given, () -> all);
  }

  AlertSettings settings() {
    AlertSettings settings = AlertSettings.defaults();
    for (String text : alerts) {
      settings = settings.with(text);
    }
    return every == null ? settings : settings.withEvery(every);
  }

  List<Webhook> webhooks(Surroundings around) {
    String signing = secret(around);
    return words(webhooks)
        .map(Webhook::to)
        .map(webhook -> signing.isEmpty() ? webhook : webhook.signedWith(signing))
        .toList();
  }

  /** With no kinds: no event is told. */
  EventFeed.Filter events() {
    Set<String> kinds =
        words(events)
            .flatMap(
                kind ->
                    kind.equals("duplicates")
                        ? EventFeed.Filter.DUPLICATES.stream()
                        : Stream.of(kind))
            .collect(Collectors.toUnmodifiableSet());
    return new EventFeed.Filter(kinds, words(operations).collect(Collectors.toUnmodifiableSet()));
  }

  private static Stream<String> words(List<String> texts) {
    return texts.stream()
        .flatMap(text -> Arrays.stream(text.split("[,\\s]+", -1)))
        .filter(word -> !word.isEmpty());
  }

  /** The file's name may be shown, what is in it never. */
  private String secret(Surroundings around) {
    if (secret == null) {
      return around.variable(SECRET);
    }
    try {
      var file = around.folder().resolve(secret);
      if (Files.size(file) > MAX_SECRET_BYTES) {
        throw new InvalidInput(
            "the file of --webhook-secret is larger than %d bytes".formatted(MAX_SECRET_BYTES));
      }
      return Files.readString(file, StandardCharsets.UTF_8);
    } catch (IOException | InvalidPathException e) {
      throw new InvalidInput(
          "the file of --webhook-secret can't be read: %s".formatted(Printable.quoted(secret)));
    }
  }
}
