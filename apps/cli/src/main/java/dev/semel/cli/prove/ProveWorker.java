package dev.semel.cli.prove;

import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.proof.ProofWorker;
import java.io.IOException;
import java.nio.file.Path;

/** Entry point of a worker process of {@code semel prove}. It gets everything on standard input. */
final class ProveWorker {
  private ProveWorker() {}

  public static void main(String[] args) throws IOException {
    DriverLogs.off();
    ProofWorker.run(
        System.in, System.out, url -> StoreUrls.open(url, Path.of("").toAbsolutePath()));
  }
}
