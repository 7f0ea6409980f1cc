package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.remote.RemoteControlCenter;
import dev.semel.alert.AlertLook;
import dev.semel.alert.AlertSettings;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.jobs.QueuesOption;
import dev.semel.cli.streams.StreamsOptions;
import dev.semel.idempotency.spi.Store;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Optional;
import java.util.function.Function;

/**
 * Decides where a command works. If the call itself names a target, this process opens it; else the
 * server at {@code SEMEL_URL} answers, if it is set; else this process opens the data folder.
 */
public final class ControlCenters {
  private final SemelCommand semel;

  public ControlCenters(SemelCommand semel) {
    this.semel = semel;
  }

  /** For commands on records, counts, settings and events. */
  public <R> R onStore(Function<ControlCenter, R> work) {
    return server().isPresent()
        ? onServer(server().get(), work)
        : within(OpenTargets.of(semel.open()), work);
  }

  /** For commands on everything. */
  public <R> R onEverything(DatabaseOption database, Function<ControlCenter, R> work) {
    return onEverything(database, AlertSettings.defaults(), work);
  }

  /**
   * For commands on everything that show alerts.
   *
   * @param limits for alerts; a server has its own
   */
  public <R> R onEverything(
      DatabaseOption database, AlertSettings limits, Function<ControlCenter, R> work) {
    if (server().isPresent() && !database.given()) {
      return onServer(server().get(), work);
    }
    try (OpenTargets open =
        OpenTargets.all(semel, semel.storeUrl(), semel.settings().ownStreamsUrl(), database)) {
      AdminTargets targets = open.targets();
      return work.apply(
          targets.withWatch(() -> AlertLook.at(targets.sources(), limits)).as(semel.user()));
    }
  }

  /** For commands on records and jobs. */
  public <R> R onJobs(QueuesOption queues, Function<ControlCenter, R> work) {
    if (server().isPresent() && !queues.given()) {
      return onServer(server().get(), work);
    }
    Store store = semel.open();
    OpenTargets open = OpenTargets.of(store);
    try {
      open.withJobs(Optional.of(queues.open(semel, store)));
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
    return within(open, work);
  }

  /** For commands on outbox and inbox. */
  <R> R onDatabase(DatabaseOption database, Function<ControlCenter, R> work) {
    Optional<String> server = database.settings(semel).messages();
    if (server.isPresent()) {
      return onServer(server.get(), work);
    }
    Store store = database.open(semel);
    OpenTargets open = OpenTargets.of(store);
    try {
      open.withMessages(store);
    } catch (RuntimeException e) {
      open.close();
      throw e;
    }
    return within(open, work);
  }

  private Optional<String> server() {
    return semel.settings().center();
  }

  private <R> R within(OpenTargets opened, Function<ControlCenter, R> work) {
    try (OpenTargets open = opened) {
      return work.apply(open.targets().as(semel.user()));
    }
  }

  private <R> R onServer(String url, Function<ControlCenter, R> work) {
    try (ControlCenter center = remote(semel.around(), url)) {
      return work.apply(center);
    }
  }

  public static RemoteControlCenter remote(Environment around, String url) {
    String token = around.variable(StreamsOptions.TOKEN);
    return CaFile.trust(around)
        .map(trust -> new RemoteControlCenter(address(url), token, trust))
        .orElseGet(() -> new RemoteControlCenter(address(url), token));
  }

  /** The message omits the address, which may hold a password. */
  public static URI address(String url) {
    try {
      return new URI(url);
    } catch (URISyntaxException e) {
      throw new InvalidInput(
          "%s is not valid: write it like http://127.0.0.1:4437".formatted(CommandSettings.SERVER));
    }
  }

  /** The error for a part that the server does not have. */
  public static InvalidInput lacks(String what) {
    return new InvalidInput(
        "the server at %s knows no %s: start it with --store and --database, or name them here"
            .formatted(CommandSettings.SERVER, what));
  }
}
