package dev.semel.cli.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.semel.alert.AlertSettings;
import dev.semel.cli.CommandLines;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.cli.OptionFile;
import dev.semel.cli.OptionLayers;
import dev.semel.cli.SemelCommand;
import dev.semel.server.WebhookReceivers;
import dev.semel.webhook.Webhook;
import dev.semel.webhook.internal.EventFeed;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParseResult;

/** Options for a server's alerts and their receivers, from all layers: see {@link OptionLayers}. */
public final class AlertOptions {
  /** Keeps the secret itself off the disk. */
  static final String SECRET = "SEMEL_WEBHOOK_SECRET";

  private static final int MAX_SECRET_BYTES = 4096;
  public static final String COMMAND = "serve";

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

  /** All options, with flags, variables and files combined. */
  public static AlertOptions settled(SemelCommand semel, ParseResult given) {
    AlertOptions all = new AlertOptions();
    return new OptionLayers(
            COMMAND,
            CommandLines.ofOptions(all),
            CommandSettings.layers(semel.flags(), semel.around()))
        .settle(given, () -> all);
  }

  public AlertSettings settings() {
    AlertSettings settings = AlertSettings.defaults();
    for (String text : alerts) {
      settings = settings.with(text);
    }
    return every == null ? settings : settings.withEvery(every);
  }

  WebhookReceivers webhooks(Environment around) {
    String signing = secret(around);
    return WebhookReceivers.of(
            words(webhooks)
                .map(Webhook::to)
                .map(webhook -> signing.isEmpty() ? webhook : webhook.signedWith(signing))
                .toList())
        .withEvents(events());
  }

  /** Without kinds, no events are sent. */
  private EventFeed.Filter events() {
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

  private String secret(Environment around) {
    return secret == null
        ? around.variable(SECRET)
        : OptionFile.text(around.folder(), "--webhook-secret", secret, MAX_SECRET_BYTES, UTF_8);
  }
}
