package dev.semel.cli.serve;

import dev.semel.StoreException;
import dev.semel.admin.AdminTargets;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShutdownSignal;
import dev.semel.cli.connect.OpenStreams;
import dev.semel.cli.operate.BackupMaker;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.Loop;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerSettings;
import dev.semel.server.admin.AdminBackend;
import dev.semel.stream.Streams;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;

/**
 * A server and its engine, from the first request to the last. Told to stop, it lets requests
 * finish and closes the engine; when the engine fails, the process ends at once, since nobody knows
 * any more what is safe to say.
 */
final class RunningServer {
  private static final Duration SWEEP_PAUSE = Duration.ofSeconds(5);

  private final Console console;
  private final ShutdownSignal shutdown;
  private final Streams streams;
  private final ServerWatch watching;
  private final Path backups;
  private final Duration drain;

  /**
   * @param watching what is watched and administered; closed when it stops
   * @param backups where backups go that callers ask for
   */
  RunningServer(SemelCommand semel, Streams streams, ServerWatch watching, Path backups) {
    this(semel.console(), semel.around().shutdown(), streams, watching, backups, Duration.ZERO);
  }

  private RunningServer(
      Console console,
      ShutdownSignal shutdown,
      Streams streams,
      ServerWatch watching,
      Path backups,
      Duration drain) {
    this.console = console;
    this.shutdown = shutdown;
    this.streams = streams;
    this.watching = watching;
    this.backups = backups;
    this.drain = drain;
  }

  /** The same, going on for this long after it was told to terminate. */
  RunningServer draining(Duration time) {
    return new RunningServer(console, shutdown, streams, watching, backups, time);
  }

  private AdminTargets targets() {
    BackupMaker maker = BackupMaker.of(watching.targets().store(), streams);
    return watching.targets().withBackups(name -> maker.named(backups, name));
  }

  /**
   * Listens until it is told to stop, if it can listen at all.
   *
   * @param where the streams are, for people
   * @param config what operators are shown
   * @param failed completes when the engine has failed
   */
  int run(
      ServerSettings settings,
      String where,
      JsonObject config,
      CompletionStage<StoreException> failed)
      throws InterruptedException {
    SemelServer server;
    CompletionStage<Void> unused = failed.thenAccept(this::failed);
    try {
      server =
          SemelServer.start(
              settings, streams, new AdminBackend(targets(), config), watching.metrics());
    } catch (UncheckedIOException e) {
      streams.close();
      console.complain(e.getMessage() + ": choose another with --port, or end who has it");
      return ExitCode.UNREACHABLE;
    } catch (RuntimeException e) {
      streams.close();
      throw e;
    }
    Loop sweeps = Loop.start("semel-sweep", this::sweep, SWEEP_PAUSE, this::sweepFailed);
    return shutdown.await(
        () -> announce(settings, server, where), interrupted -> stop(server, sweeps, interrupted));
  }

  private void announce(ServerSettings settings, SemelServer server, String where) {
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    String address = "%s://%s:%d".formatted(settings.tls().scheme(), host, server.port());
    settings.tls().warnings(settings.host(), "tokens").forEach(console::complain);
    console.note("serving streams on %s/v1/stream, %s".formatted(address, where));
    console.note(
        "administering %s on %s/api/v1".formatted(watching.targets().store().describe(), address));
    console.note("the control center is on %s/".formatted(address));
  }

  private boolean sweep() {
    int unused = OpenStreams.get(streams.sweep());
    return false;
  }

  /** A failed engine ends the process by itself; anything else is tried again. */
  private void sweepFailed(Exception e) {
    console.complain("expired streams could not be removed, trying again: " + e.getMessage());
  }

  private void failed(StoreException e) {
    console.complain("stopped, because the streams can't be kept any more: " + e.getMessage());
    shutdown.abort(ExitCode.FAILED);
  }

  private int stop(SemelServer server, Loop sweeps, boolean interrupted) {
    int code = interrupted ? ExitCode.INTERRUPTED : ExitCode.OK;
    try {
      DrainOptions.pass(drain, interrupted, console, server::retire);
      server.close();
      sweeps.close();
      watching.close();
      streams.close();
    } catch (RuntimeException e) {
      console.complain("did not stop as it should: " + e.getMessage());
      code = ExitCode.FAILED;
    }
    console.streams().flush();
    return code;
  }
}
