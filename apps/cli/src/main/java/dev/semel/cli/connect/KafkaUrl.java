package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.jdbc.internal.engine.DatabaseUrl;
import dev.semel.kafka.KafkaSettings;
import dev.semel.kafka.KafkaTransport;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.util.List;

/**
 * {@code kafka://host:9092,host:9092?security.protocol=SASL_SSL&…}: the part after the question
 * mark has options of Kafka's own clients, some of them secret.
 */
public final class KafkaUrl {
  /** Shorter than a broker's restart, because the command only looks. */
  private static final Duration ANSWER_TIMEOUT = Duration.ofSeconds(8);

  private KafkaUrl() {}

  static Transport existing(String url, String destination) {
    return KafkaTransport.existing(settings(url), destination);
  }

  public static KafkaSettings settings(String url) {
    int question = url.indexOf('?');
    String servers = question < 0 ? url : url.substring(0, question);
    KafkaSettings settings =
        KafkaSettings.of(servers.substring(servers.indexOf("://") + 3))
            .withOption("default.api.timeout.ms", Long.toString(ANSWER_TIMEOUT.toMillis()))
            .withOption("request.timeout.ms", Long.toString(ANSWER_TIMEOUT.toMillis() / 2));
    for (DatabaseUrl.Option option : options(question < 0 ? "" : url.substring(question + 1))) {
      settings = settings.withOption(option.name(), option.value());
    }
    return settings;
  }

  /** Replaces the decoder's message, which would repeat a possible password. */
  private static List<DatabaseUrl.Option> options(String query) {
    try {
      return DatabaseUrl.options(query);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "a % in the broker's URL is not followed by two hexadecimal digits: write it as %25");
    }
  }
}
