package dev.semel.cli.prove;

import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.proof.ProofWorker;
import java.io.IOException;
import java.nio.file.Path;

/**
 * Where a worker process of {@code semel prove} starts. It is told everything on standard input.
 */
final class ProveWorker {
  private ProveWorker() {}

  public static void main(String[] args) throws IOException {
    DriverLogs.off();
    ProofWorker.run(
        System.in, System.out, url -> StoreUrls.open(url, Path.of("").toAbsolutePath()));
  }
}
