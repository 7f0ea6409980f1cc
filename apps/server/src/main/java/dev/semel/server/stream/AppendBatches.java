package dev.semel.server.stream;

import dev.semel.stream.spi.Streams;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * Collects the appends of one turn of an event loop and submits them together: an engine that
 * forces its disk then does so once for all of them.
 */
final class AppendBatches {
  private final Streams streams;
  private final HomeLoop loop;
  private List<PendingAppend> gathered = new ArrayList<>();

  AppendBatches(Streams streams, HomeLoop loop) {
    this.streams = streams;
    this.loop = loop;
  }

  void add(PendingAppend append) {
    gathered.add(append);
    if (gathered.size() == 1) {
      loop.context().runOnContext(v -> handOver());
    }
  }

  private void handOver() {
    List<PendingAppend> batch = gathered;
    gathered = new ArrayList<>(batch.size());
    handOver(batch);
  }

  /** Submits one append alone; from any thread. */
  void handOver(PendingAppend append) {
    handOver(List.of(append));
  }

  private void handOver(List<PendingAppend> batch) {
    try {
      streams.append(Collections.unmodifiableList(batch));
    } catch (RuntimeException e) {
      // Appends that were answered before the failure stay answered.
      batch.forEach(each -> each.broken(e));
    }
  }
}
