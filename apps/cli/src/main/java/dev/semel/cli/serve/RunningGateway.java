package dev.semel.cli.serve;

import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.event.ProcessEvents;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.spi.Store;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import dev.semel.server.metrics.WorkMetrics;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A gateway and its store, from the first request to the last. Told to stop, it lets requests
 * finish, and only then closes what records them.
 */
final class RunningGateway {
  private final SemelCommand semel;
  private final Duration drain;

  /**
   * @param drain how long it goes on after it was told to terminate
   */
  RunningGateway(SemelCommand semel, Duration drain) {
    this.semel = semel;
    this.drain = drain;
  }

  /** Listens until it is told to stop, if it can listen at all. */
  int run(GatewaySettings settings) throws InterruptedException {
    Console console = semel.console();
    semel.logToStandardError();
    Store store = semel.open();
    WorkMetrics work = new WorkMetrics();
    Idempotency idempotency = new Idempotency(work.timing(store), work.and(semel.listener()));
    ProcessEvents.Listening failures = ProcessEvents.listen(idempotency.listener());
    Gateway gateway;
    try {
      gateway = Gateway.start(settings, idempotency, store::now, work);
    } catch (UncheckedIOException e) {
      close(failures, idempotency, store);
      console.complain(e.getMessage() + ": choose another with --port, or end who has it");
      return ExitCode.UNREACHABLE;
    } catch (RuntimeException e) {
      close(failures, idempotency, store);
      throw e;
    }
    return semel
        .around()
        .shutdown()
        .await(
            () -> announce(settings, gateway, store),
            interrupted -> stop(gateway, failures, idempotency, store, interrupted));
  }

  private void announce(GatewaySettings settings, Gateway gateway, Store store) {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    settings
        .tls()
        .warnings(settings.host(), "keys and tokens of callers")
        .forEach(semel.console()::complain);
    semel
        .console()
        .note(
            "guarding %s on %s://%s:%d, keys in %s"
                .formatted(
                    settings.upstream(),
                    settings.tls().scheme(),
                    host,
                    gateway.port(),
                    store.describe()));
  }

  private static void close(
      ProcessEvents.Listening failures, Idempotency idempotency, Store store) {
    failures.close();
    idempotency.close();
    store.close();
  }

  private int stop(
      Gateway gateway,
      ProcessEvents.Listening failures,
      Idempotency idempotency,
      Store store,
      boolean interrupted) {
    Console console = semel.console();
    int code = interrupted ? ExitCode.INTERRUPTED : ExitCode.OK;
    try {
      DrainOptions.pass(drain, interrupted, console, gateway::retire);
      gateway.close();
      close(failures, idempotency, store);
    } catch (RuntimeException e) {
      console.complain("did not stop as it should: " + e.getMessage());
      code = ExitCode.FAILED;
    }
    console.streams().flush();
    return code;
  }
}
