package dev.semel.cli;

import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.Store;
import dev.semel.server.gateway.Gateway;
import dev.semel.server.gateway.GatewaySettings;
import java.io.UncheckedIOException;
import java.time.Duration;

/**
 * A gateway and its store, from the first request to the last. Told to stop, it lets requests
 * finish, and only then closes what records them.
 */
final class GatewayService {
  private final Semel semel;
  private final Duration drain;

  /**
   * @param drain how long it goes on after it was told to terminate
   */
  GatewayService(Semel semel, Duration drain) {
    this.semel = semel;
    this.drain = drain;
  }

  /** Listens until it is told to stop, if it can listen at all. */
  int run(GatewaySettings settings) throws InterruptedException {
    Console console = semel.console();
    Store store = semel.open();
    Idempotency idempotency = new Idempotency(store, semel.listener());
    Gateway gateway;
    try {
      gateway = Gateway.start(settings, idempotency, store::now);
    } catch (UncheckedIOException e) {
      close(idempotency, store);
      console.complain(e.getMessage() + ": choose another with --port, or end who has it");
      return Exit.UNREACHABLE;
    } catch (RuntimeException e) {
      close(idempotency, store);
      throw e;
    }
    return semel
        .around()
        .shutdown()
        .await(
            () -> announce(settings, gateway, store),
            interrupted -> stop(gateway, idempotency, store, interrupted));
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

  private static void close(Idempotency idempotency, Store store) {
    idempotency.close();
    store.close();
  }

  private int stop(Gateway gateway, Idempotency idempotency, Store store, boolean interrupted) {
    Console console = semel.console();
    int code = interrupted ? Exit.INTERRUPTED : Exit.OK;
    try {
      DrainOptions.pass(drain, interrupted, console, gateway::retire);
      gateway.close();
      close(idempotency, store);
    } catch (RuntimeException e) {
      console.complain("did not stop as it should: " + e.getMessage());
      code = Exit.FAILED;
    }
    console.streams().flush();
    return code;
  }
}
