package dev.semel.cli;

import dev.semel.cli.connect.JobQueues;
import dev.semel.cli.serve.AlertOptions;
import dev.semel.cli.serve.GatewayCommand;
import dev.semel.cli.serve.GatewayOptions;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import picocli.CommandLine;

/** Describes all commands and settings for generated documentation; executes nothing. */
public final class CommandManual {
  private CommandManual() {}

  /** All commands with their options, as the parser sees them. */
  public static CommandLine commands() {
    Environment nothing =
        new Environment(
            Map.of(),
            Path.of(""),
            new StandardStreams(
                InputStream.nullInputStream(),
                new PrintStream(OutputStream.nullOutputStream()),
                new PrintStream(OutputStream.nullOutputStream()),
                ""));
    return SemelCommand.line(nothing, JobQueues.KNOWN, "");
  }

  /** Settings that a line of {@code semel.yaml} may have. */
  public static Set<String> settings() {
    Set<String> names = new TreeSet<>(CommandSettings.KNOWN);
    names.addAll(
        OptionLayers.names(GatewayCommand.NAME, CommandLines.ofOptions(new GatewayOptions())));
    names.addAll(
        OptionLayers.names(AlertOptions.COMMAND, CommandLines.ofOptions(new AlertOptions())));
    return names;
  }
}
