package dev.semel.nats;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import java.time.Duration;
import java.util.OptionalInt;
import java.util.regex.Pattern;

/**
 * Settings for streams in JetStream.
 *
 * @param servers as for {@link JetStreamSettings#of}
 * @param name name of the JetStream stream that holds all streams
 * @param replicas empty: unchanged, or for a new stream 3 in a cluster and otherwise 1
 * @param timeout after this time without an answer a request is in doubt
 */
public record StreamsSettings(String servers, String name, OptionalInt replicas, Duration timeout) {
  public static final String DEFAULT_NAME = "SEMEL_STREAMS";
  public static final Duration DEFAULT_TIMEOUT = Duration.ofSeconds(5);
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,64}");
  private static final int MAX_REPLICAS = 5;

  public StreamsSettings {
    if (!NAME.matcher(name).matches()) {
      throw new InvalidInput(
          "the stream's name %s can't be used: take up to 64 letters, digits, hyphens and underscores"
              .formatted(PrintableText.quoted(name)));
    }
    if (replicas.isPresent() && (replicas.getAsInt() < 1 || replicas.getAsInt() > MAX_REPLICAS)) {
      throw new InvalidInput("streams have between 1 and %d replicas".formatted(MAX_REPLICAS));
    }
  }

  /**
   * Parses {@code nats://host:port,…?stream=NAME&replicas=N}; both parameters and all but one
   * server are optional.
   */
  public static StreamsSettings parse(String url) {
    int mark = url.indexOf('?');
    String servers = mark < 0 ? url : url.substring(0, mark);
    StreamsSettings settings =
        new StreamsSettings(
            withSchemes(servers), DEFAULT_NAME, OptionalInt.empty(), DEFAULT_TIMEOUT);
    if (mark < 0) {
      return settings;
    }
    for (String parameter : url.substring(mark + 1).split("&", -1)) {
      settings = settings.with(parameter);
    }
    return settings;
  }

  /** Adds the first server's scheme to those after a comma. */
  private static String withSchemes(String servers) {
    int colon = servers.indexOf("://");
    if (colon < 0) {
      throw new InvalidInput("the address of NATS is none: write it like nats://127.0.0.1:4222");
    }
    String scheme = servers.substring(0, colon + 3);
    StringBuilder all = new StringBuilder();
    for (String each : servers.substring(colon + 3).split(",", -1)) {
      all.append(all.isEmpty() ? "" : ",").append(each.contains("://") ? each : scheme + each);
    }
    return all.toString();
  }

  private StreamsSettings with(String parameter) {
    int equals = parameter.indexOf('=');
    String value = equals < 0 ? "" : parameter.substring(equals + 1);
    return switch (equals < 0 ? parameter : parameter.substring(0, equals)) {
      case "stream" -> withName(value);
      case "replicas" -> withReplicas(number(value));
      default ->
          throw new InvalidInput(
              "streams on NATS have no parameter %s: use stream or replicas"
                  .formatted(
                      PrintableText.quoted(
                          equals < 0 ? parameter : parameter.substring(0, equals))));
    };
  }

  private static int number(String text) {
    if (!text.matches("[0-9]")) {
      throw new InvalidInput("replicas is a number: 1 or 3 is usual");
    }
    return Integer.parseInt(text);
  }

  public StreamsSettings withName(String value) {
    return new StreamsSettings(servers, value, replicas, timeout);
  }

  public StreamsSettings withReplicas(int value) {
    return new StreamsSettings(servers, name, OptionalInt.of(value), timeout);
  }

  public StreamsSettings withTimeout(Duration value) {
    return new StreamsSettings(servers, name, replicas, value);
  }

  JetStreamSettings connection() {
    // The stream's settings are placeholders: this stream has no partitions.
    return JetStreamSettings.of(servers, StreamSettings.of(name, prefix() + ".>"))
        .withPublishTimeout(timeout);
  }

  /** The prefix of all subjects, so that several names can share a broker. */
  String prefix() {
    return "semel.streams." + name;
  }

  /** The URL without a password. */
  public String shown() {
    return String.join(", ", connection().servers());
  }

  @Override
  public String toString() {
    return "StreamsSettings[%s, %s]".formatted(shown(), name);
  }
}
