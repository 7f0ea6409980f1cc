package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.cli.Environment;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a broker, by its URL. */
public final class BrokerOption {
  /** Keeps a password off the command line, which others can see. */
  private static final String VARIABLE = "SEMEL_BROKER";

  @Option(
      names = "--broker",
      paramLabel = "URL",
      description =
          "A broker to look at too: nats://, kafka://, amqp://, rabbitmq-stream://, redis:// or"
              + " redis-cluster:// (SEMEL_BROKER).")
  private @Nullable String broker;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      description = "Where messages are sent there; may be given more than once.")
  private List<String> destinations = List.of();

  public List<String> destinations() {
    return destinations;
  }

  /**
   * May hold a password; empty: there is no broker to look at. The variable alone is no request,
   * because it applies to all commands of a shell.
   */
  public String url(Environment around) {
    String url = broker == null ? around.variable(VARIABLE) : broker;
    if (destinations.isEmpty() ? broker != null : url.isEmpty()) {
      throw new InvalidInput(
          "a broker is looked at by its destinations: give --broker (or %s) and --destination together"
              .formatted(VARIABLE));
    }
    return url;
  }
}
