package dev.semel.cli.demo;

import dev.semel.cli.connect.DriverLogs;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/**
 * Entry point of the worker process of {@code semel demo zombie}. It gets everything on standard
 * input, because the store's URL may hold a password.
 */
final class DemoWorker {
  private DemoWorker() {}

  public static void main(String[] args) {
    DriverLogs.off();
    BufferedReader in =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    try (Store store = StoreUrls.open(ZombieWorker.hear(in), Path.of("").toAbsolutePath())) {
      ZombieWorker.run(store, in, out);
    }
  }
}
