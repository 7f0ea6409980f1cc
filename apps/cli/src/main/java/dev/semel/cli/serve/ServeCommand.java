package dev.semel.cli.serve;

import dev.semel.StoreException;
import dev.semel.alert.AlertSettings;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionFile;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.SemelVersion;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.OpenTargets;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.server.AccessRules;
import dev.semel.server.SemelServer;
import dev.semel.server.ServerBackend;
import dev.semel.server.ServerSettings;
import dev.semel.server.WebhookReceivers;
import dev.semel.stream.StreamRetention;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Serves streams and the admin API until a signal stops it. */
@CommandLine.Command(
    name = "serve",
    header = "Serve streams and the admin API over HTTP, until Ctrl-C or a request to terminate.",
    description = {
      "",
      "The admin API, /api/v1/…, looks at what applications use: their store (--store) with its"
          + " jobs, and their database (--database) with outbox and inbox. Commands ask it where"
          + " SEMEL_URL names this server. Alerts, webhooks and /metrics tell of the same.",
      "",
      "Others than this machine need a token: write a line \"TOKEN RIGHTS [PREFIX]\" for each into"
          + " a file, with read, append or admin for rights, and name it with --token. Behind them may"
          + " stand what the token may use: connections=N, bytes=N.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel serve",
      "  semel serve --host 0.0.0.0 --token tokens.txt --tls-cert tls.crt --tls-key tls.key",
      "  semel serve --store redis://localhost --database postgresql://app@localhost/shop",
      "  semel serve --streams nats://n1:4222,n2:4222,n3:4222?replicas=3 --drain 5s",
      "  semel serve --port 0 --streams memory:",
      "  semel serve --alert outbox-lag=10m --webhook https://example.org/hook"
    })
public final class ServeCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Option(
      names = "--host",
      paramLabel = "HOST",
      defaultValue = "127.0.0.1",
      description = "The address to listen on (default: ${DEFAULT-VALUE}).")
  private String host = "127.0.0.1";

  @Option(
      names = "--port",
      paramLabel = "PORT",
      defaultValue = "4437",
      description = "The port; 0: any that is free (default: ${DEFAULT-VALUE}).")
  private int port = ServerSettings.DEFAULT_PORT;

  @Option(
      names = "--streams",
      paramLabel = "URL",
      description =
          "journal:DIR, nats://host:port[,host:port…][?replicas=N&stream=NAME] for streams that"
              + " several servers share, or memory: for streams that end with the server (default:"
              + " the data folder's own; SEMEL_STREAMS).")
  private @Nullable String streams;

  @Mixin private final DrainOptions draining = new DrainOptions();

  @Mixin private final ConnectionOptions callers = new ConnectionOptions();

  @Mixin private final TlsOptions tls = new TlsOptions();

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Mixin
  @SuppressWarnings("UnusedVariable") // the code asks the parser instead of the fields
  private final AlertOptions given = new AlertOptions();

  @Spec private @Nullable CommandSpec spec;

  @Option(
      names = "--long-poll",
      paramLabel = "TIME",
      defaultValue = "10s",
      description = "How long a reader waits for data in one request (default: ${DEFAULT-VALUE}).")
  private Duration longPoll = Duration.ofSeconds(10);

  @Option(
      names = "--held-bytes",
      paramLabel = "SIZE",
      description =
          "Most bytes held for callers at a time: bodies that came in, answers that were not taken"
              + " yet. Beyond it new requests get 503 (default: a third of the heap).")
  private @Nullable String heldBytes;

  @Option(
      names = "--public-url",
      paramLabel = "URL",
      description =
          "Scheme and host by which others reach this server where a proxy stands before it:"
              + " subscribers are told so (default: as they reached it).")
  private @Nullable String publicUrl;

  @Option(
      names = "--shared-cache",
      description =
          "Let caches before this server keep data of streams for anyone (Cache-Control: public);"
              + " they must then see to it themselves who may read.")
  private boolean sharedCache;

  @Option(
      names = "--token",
      paramLabel = "FILE",
      description = "Who may do what; without it whoever is on this machine may do all.")
  private @Nullable String token;

  @Option(
      names = "--backups",
      paramLabel = "DIR",
      description =
          "Where backups go that are asked for over HTTP (default: backups in the data folder).")
  private @Nullable String backups;

  @Option(names = "--read-only", description = "Change nothing for callers.")
  private boolean readOnly;

  @Option(
      names = "--retain-bytes",
      paramLabel = "N",
      description = "Drop a stream's oldest data when there is more than this.")
  private @Nullable Long retainBytes;

  @Option(
      names = "--retain-age",
      paramLabel = "TIME",
      description = "Drop a stream's data when it is this old, such as 30d.")
  private @Nullable Duration retainAge;

  public ServeCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws InterruptedException {
    ServerSettings settings = settings();
    String url = semel.settings(CommandSettings.STREAMS, streams).ownStreamsUrl();
    AlertOptions alerts =
        AlertOptions.settled(semel, SemelCommand.given(spec).commandLine().getParseResult());
    AlertSettings limits = alerts.settings();
    WebhookReceivers webhooks = alerts.webhooks(semel.around());
    semel.logToStandardError();
    // Opened before listening, so that a store that is away is reported at once.
    try (OpenTargets targets =
            OpenTargets.all(semel, semel.settings().ownStoreUrl(), url, database);
        ServedStreams served = ServedStreams.open(url, semel.around().folder(), retention())) {
      CompletionStage<Void> unused = served.failed().thenAccept(this::failed);
      ServerBackend backend =
          ServerBackend.of(served.streams())
              .withTargets(targets.targets())
              .withAlerts(limits)
              .withWebhooks(webhooks)
              .withBackups(backups())
              .withDetails(details(served.where()))
              .withListener(semel.listener());
      return new ListeningProcess(semel, settings.shutdown().drain())
          .run(
              () -> SemelServer.start(settings, backend),
              server -> announce(settings, server.port(), served, targets),
              (server, drain) -> server.close(drain));
    }
  }

  private void announce(
      ServerSettings settings, int actualPort, ServedStreams served, OpenTargets targets) {
    Console console = semel.console();
    String name = host.contains(":") ? "[" + host + "]" : host;
    String address = "%s://%s:%d".formatted(settings.tls().scheme(), name, actualPort);
    settings.tls().warnings(host, "tokens").forEach(console::complain);
    console.note("serving streams on %s/v1/stream, %s".formatted(address, served.where()));
    console.note(
        "administering %s on %s/api/v1".formatted(targets.targets().store().describe(), address));
    console.note("the control center is on %s/".formatted(address));
  }

  /** The engine can't promise anything any more, so the process ends at once. */
  private void failed(StoreException e) {
    semel
        .console()
        .complain("stopped, because the streams can't be kept any more: " + e.getMessage());
    semel.around().shutdown().abort(ExitCode.FAILED);
  }

  /** Configuration that only the command knows. */
  private static JsonObject details(String where) {
    return Json.object().with("version", SemelVersion.number()).with("streams", where).build();
  }

  private ServerSettings settings() {
    ServerSettings usual = ServerSettings.defaults();
    long held =
        heldBytes == null
            ? usual.serving().heldBytes()
            : ByteSizes.parse("--held-bytes", heldBytes);
    ServerSettings settings =
        usual
            .withAddress(host, port)
            .withServing(
                usual.serving().withLongPoll(longPoll).withShared(sharedCache).withHeldBytes(held))
            .withShutdown(draining.times())
            .withConnections(callers.limits())
            .withReadOnly(readOnly)
            .withTls(tls.settings(semel.around().folder()))
            .withAccess(
                token == null ? AccessRules.open() : AccessRules.parse(path("--token", token)));
    return publicUrl == null ? settings : settings.withPublicUrl(publicUrl);
  }

  private Path backups() {
    return backups == null
        ? semel.settings().data().resolve("backups")
        : path("--backups", backups);
  }

  private Path path(String option, String name) {
    return OptionFile.path(semel.around().folder(), option, name);
  }

  private StreamRetention retention() {
    return new StreamRetention(
        retainBytes == null ? StreamRetention.FOR_EVER.bytes() : retainBytes,
        retainAge == null ? StreamRetention.FOR_EVER.age() : retainAge);
  }
}
