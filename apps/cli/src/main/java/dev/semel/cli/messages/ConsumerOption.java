package dev.semel.cli.messages;

import dev.semel.Operation;
import dev.semel.cli.SemelCommand;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for a consumer. */
final class ConsumerOption {
  @Option(names = "--consumer", paramLabel = "NAME", required = true, description = "Whose.")
  private @Nullable String consumer;

  String name() {
    return new Operation(SemelCommand.given(consumer)).name();
  }
}
