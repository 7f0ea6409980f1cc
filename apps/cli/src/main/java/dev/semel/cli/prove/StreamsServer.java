package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.cli.ExitCode;
import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.connect.StreamUrls;
import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.fault.SupervisedProcess;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.SharedStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.concurrent.CompletionStage;

/**
 * Entry point of a server of {@code semel prove --streams}, which is killed and started again on
 * the same port and data.
 */
final class StreamsServer {
  private StreamsServer() {}

  public static void main(String[] args) throws IOException {
    DriverLogs.off();
    SupervisedProcess self = new SupervisedProcess(System.in, System.out);
    WorkerOrders orders = self.orders();
    Streams streams = open(orders.text("streams"));
    SemelServer server =
        SemelServer.start(
            dev.semel.server.ServerSettings.defaults()
                .withAddress("127.0.0.1", orders.number("port")),
            ServerBackend.of(streams));
    long unused = self.ready();
    self.untilEnd(() -> 0);
    server.close();
    streams.close();
    System.exit(0);
  }

  private static Streams open(String url) {
    if (url.startsWith("journal:")) {
      JournalStreams streams =
          JournalStreams.open(
              StreamUrls.journalFolder(url, Path.of("")),
              InstantSource.system(),
              JournalStreams.Settings.defaults());
      failStop(streams.failed());
      return streams;
    }
    SharedStreams streams = JetStreamLog.openStreams(StreamsSettings.parse(url));
    failStop(streams.failed());
    return streams;
  }

  /** Ends the process after a failure of the engine, as {@code semel serve} does. */
  private static void failStop(CompletionStage<StoreException> failed) {
    CompletionStage<Void> unused =
        failed.thenAccept(
            e -> {
              System.out.println("the streams can't be kept any more: " + e.getMessage());
              Runtime.getRuntime().halt(ExitCode.FAILED);
            });
  }
}
