package dev.semel.cli;

import dev.semel.StoreException;
import dev.semel.admin.Estate;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.loop.Loop;
import dev.semel.server.SemelServer;
import dev.semel.server.Settings;
import dev.semel.server.admin.Administration;
import dev.semel.stream.Streams;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;

/**
 * A server and its engine, from the first request to the last. The process ends in it: told to
 * stop, it lets requests finish and closes the engine; when the engine fails, it ends at once,
 * since nobody knows any more what is safe to say.
 */
final class Service {
  private static final Duration SWEEP_PAUSE = Duration.ofSeconds(5);

  /** As the JVM names the thread on which it ends the process after Ctrl-C. */
  private static final String INTERRUPTED = "SIGINT handler";

  private final Console console;
  private final Streams streams;
  private final Watching watching;
  private final Path backups;
  private final Duration drain;

  /**
   * @param watching what is watched and administered; closed when the process ends
   * @param backups where backups go that callers ask for
   */
  Service(Console console, Streams streams, Watching watching, Path backups) {
    this(console, streams, watching, backups, Duration.ZERO);
  }

  private Service(
      Console console, Streams streams, Watching watching, Path backups, Duration drain) {
    this.console = console;
    this.streams = streams;
    this.watching = watching;
    this.backups = backups;
    this.drain = drain;
  }

  /** The same, going on for this long after it was told to terminate. */
  Service draining(Duration time) {
    return new Service(console, streams, watching, backups, time);
  }

  private Estate estate() {
    BackupMaker maker = BackupMaker.of(watching.estate().store(), streams);
    return watching.estate().withBackups(name -> maker.named(backups, name));
  }

  /**
   * Listens, and returns only if that does not work.
   *
   * @param where the streams are, for people
   * @param config what operators are shown
   * @param failed completes when the engine has failed
   */
  int run(
      Settings settings, String where, JsonObject config, CompletionStage<StoreException> failed)
      throws InterruptedException {
    SemelServer server;
    CompletionStage<Void> unused = failed.thenAccept(this::failed);
    try {
      server =
          SemelServer.start(
              settings, streams, new Administration(estate(), config), watching.metrics());
    } catch (UncheckedIOException e) {
      streams.close();
      console.complain(e.getMessage() + ": choose another with --port, or end who has it");
      return Exit.UNREACHABLE;
    } catch (RuntimeException e) {
      streams.close();
      throw e;
    }
    Loop sweeps = Loop.start("semel-sweep", this::sweep, SWEEP_PAUSE, this::sweepFailed);
    Runtime.getRuntime()
        .addShutdownHook(
            Thread.ofPlatform().name("semel-stop").unstarted(() -> stop(server, sweeps)));
    String host = settings.host().contains(":") ? "[" + settings.host() + "]" : settings.host();
    console.note(
        "serving streams on http://%s:%d/v1/stream, %s".formatted(host, server.port(), where));
    console.note(
        "administering %s on http://%s:%d/api/v1"
            .formatted(watching.estate().store().describe(), host, server.port()));
    console.note("the control center is on http://%s:%d/".formatted(host, server.port()));
    new CountDownLatch(1).await(); // the process ends in the hook
    return Exit.OK;
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
    Runtime.getRuntime().halt(Exit.FAILED);
  }

  private void stop(SemelServer server, Loop sweeps) {
    boolean interrupted = interrupted();
    int code = interrupted ? Exit.INTERRUPTED : Exit.OK;
    try {
      DrainOptions.pass(drain, interrupted, console, server::retire);
      server.close();
      sweeps.close();
      watching.close();
      streams.close();
    } catch (RuntimeException e) {
      console.complain("did not stop as it should: " + e.getMessage());
      code = Exit.FAILED;
    }
    console.streams().flush();
    Runtime.getRuntime().halt(code);
  }

  /** Which signal it was the JVM tells nobody, but it names a thread after it. */
  static boolean interrupted() {
    return Thread.getAllStackTraces().keySet().stream()
        .anyMatch(thread -> thread.getName().equals(INTERRUPTED));
  }
}
