package dev.semel.cli.prove;

import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.streams.StreamSession;
import dev.semel.proof.WorkerOrders;
import dev.semel.proof.fault.SupervisedProcess;
import dev.semel.proof.flow.ProcessNotes;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamInfo;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Entry point of a client of {@code semel prove --streams}: two producers, one with an id that all
 * clients share, and a writer that races them for every place of a stream.
 */
public final class StreamsWorker {
  static final String LINES = "lines";
  static final String SHARED = "shared";
  static final String RACE = "race";
  static final List<String> ALL = List.of(LINES, SHARED, RACE);

  private StreamsWorker() {}

  /** The path of a run's stream. */
  public static String path(String run, String stream) {
    return "semel-prove-" + run + "/" + stream;
  }

  public static void main(String[] args) throws IOException {
    DriverLogs.off();
    SupervisedProcess self = new SupervisedProcess(System.in, System.out);
    WorkerOrders orders = self.orders();
    AtomicLong done = new AtomicLong();
    try (StreamClient client = ProofStreams.client(orders.text("server"), orders.text("token"));
        ProcessNotes notes = new ProcessNotes(orders.history(), orders.client())) {
      StreamSession session = new StreamSession(orders, client, notes, done);
      for (String stream : ALL) {
        StreamInfo unused = session.stream(stream).create(ContentType.JSON);
      }
      long unused = self.ready();
      String own = "producer-" + orders.text("number");
      StreamAppends lines = new StreamAppends(session, LINES, own);
      StreamAppends shared = new StreamAppends(session, SHARED, SHARED);
      StreamRaces races = new StreamRaces(session);
      self.untilEnd(done::get);
      lines.close();
      shared.close();
      races.close();
      self.last(done.get());
    }
    System.exit(0);
  }
}
