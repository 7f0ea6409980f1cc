package dev.semel.cli;

import dev.semel.cli.adapter.ClientAdapter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine;

/** Lets a conformance suite examine our client of streams. */
@CommandLine.Command(
    name = "client-adapter",
    hidden = true, // for suites, not for people
    header = "Answer a conformance suite for clients of streams.",
    description = {
      "",
      "Reads commands of the public client conformance protocol of Durable Streams from standard"
          + " input, one JSON object a line, does each with this client, and writes one answer a"
          + " line to standard output. Ends after shutdown, or with its input.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  echo '{\"type\":\"init\",\"serverUrl\":\"http://127.0.0.1:4437\"}' |",
      "    semel client-adapter"
    })
final class ClientAdapterCommand implements Callable<Integer> {
  private final SemelCommand semel;

  ClientAdapterCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    semel.refuseOutputFlag("each answer is a line of JSON");
    StandardStreams streams = semel.console().streams();
    try {
      new ClientAdapter(streams.in(), streams.out(), SemelVersion.number()).run();
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UncheckedIOException("standard input can't be read", e);
    }
  }
}
