package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.admin.internal.Migration;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.MemoryStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SchemaSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;

/** Moves all records to another store without losing a key. */
@CommandLine.Command(
    name = "migrate",
    header = "Bring all records and settings into another store.",
    description = {
      "",
      "Each record in one step: state, token, attempts, fingerprint, response, and what is left of"
          + " its lease and retention. What is newer in the target stays. The source is only read,"
          + " and both may be in use. A run that was killed goes on where it was.",
      "",
      "Run it once while applications run; stop them or point them over; run it again for the rest."
          + " Ends with 4 if something differs in the target.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel migrate --from sqlite:semel.db --to postgresql://semel@db/semel --dry-run",
      "  SEMEL_MIGRATE_TO=redis://:secret@cache semel migrate --from sqlite:semel.db"
    })
public final class MigrateCommand implements Callable<Integer> {
  static final String FROM = "SEMEL_MIGRATE_FROM";
  static final String TO = "SEMEL_MIGRATE_TO";

  private static final Duration SHOWN_EVERY = Duration.ofMillis(200);

  private final SemelCommand semel;
  private final long started = System.nanoTime();
  private long shown;

  @Option(
      names = "--from",
      paramLabel = "URL",
      description = "The store to read, as for --store (or " + FROM + ").")
  private @Nullable String from;

  @Option(
      names = "--to",
      paramLabel = "URL",
      description = "The store to write (or " + TO + "). Missing tables are created.")
  private @Nullable String to;

  @Option(names = "--dry-run", description = "Only count what would be done.")
  private boolean dryRun;

  @Option(
      names = "--restart",
      description = "Begin anew instead of going on where an earlier run was ended.")
  private boolean restart;

  public MigrateCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    if (semel.storeFlag().isPresent()) {
      throw new InvalidInput("two stores are needed: name them with --from and --to");
    }
    OutputFormat format = semel.settings().output();
    String source = url(from, "--from", FROM);
    String target = url(to, "--to", TO);
    try (Store reading = openSource(source);
        Store writing = openTarget(target)) {
      MigrationView view = migrate(reading, writing);
      semel.console().progress("");
      view.lines(format).forEach(semel.console()::line);
      return view.clean() ? ExitCode.OK : ExitCode.CONFLICT;
    }
  }

  private String url(@Nullable String flag, String name, String variable) {
    String url = flag == null ? semel.around().variable(variable) : flag;
    if (url.isEmpty()) {
      throw new InvalidInput(
          "%s is missing: name a store there, or in %s".formatted(name, variable));
    }
    StoreUrls.requireKnown(url);
    if (url.startsWith("memory:")) {
      throw new InvalidInput(name + " can't be memory:, which ends with this command");
    }
    return url;
  }

  private Store openSource(String url) {
    Optional<Path> file = file(url);
    if (file.isPresent() && !Files.exists(file.get())) {
      throw new InvalidInput(
          "there is no file %s to read".formatted(PrintableText.safe(file.get().toString())));
    }
    return StoreUrls.open(url, semel.around().folder(), SchemaSetup.CHECK);
  }

  /** A dry run creates nothing: a missing file counts as empty. */
  private Store openTarget(String url) {
    if (!dryRun) {
      return StoreUrls.open(url, semel.around().folder());
    }
    Optional<Path> file = file(url);
    return file.isPresent() && !Files.exists(file.get())
        ? new MemoryStore(InstantSource.system())
        : StoreUrls.open(url, semel.around().folder(), SchemaSetup.CHECK);
  }

  private Optional<Path> file(String url) {
    return url.startsWith("sqlite:")
        ? Optional.of(StoreUrls.sqliteFile(url, semel.around().folder()))
        : Optional.empty();
  }

  private MigrationView migrate(Store reading, Store writing) {
    Migration migration =
        new Migration(reading, writing, dryRun ? Migration.Mode.DRY_RUN : Migration.Mode.MOVE);
    MigrationFile places =
        new MigrationFile(semel.settings().data(), reading.describe(), writing.describe());
    Migration.SettingsAccount settings = migration.settings();
    Migration.Place end =
        migration.records(
            beginning(migration, places),
            place -> {
              if (!dryRun) {
                places.write(place);
              }
              show(place);
            });
    if (!dryRun) {
      places.delete();
      migration.sign(semel.user());
    }
    String target = writing instanceof MemoryStore ? "a new SQLite file" : writing.describe();
    return new MigrationView(reading.describe(), target, dryRun, settings, end);
  }

  private Migration.Place beginning(Migration migration, MigrationFile places) {
    Optional<Migration.Place> saved =
        dryRun || restart ? Optional.empty() : places.read().filter(p -> !p.cursor().isEmpty());
    if (saved.isEmpty()) {
      return Migration.Place.BEGINNING;
    }
    if (!migration.resumable()) {
      semel
          .console()
          .note("an earlier run was ended; this source is read from the beginning all the same");
      return Migration.Place.BEGINNING;
    }
    semel
        .console()
        .note(
            "going on after the %d records of an earlier run (--restart begins anew)"
                .formatted(saved.get().account().read()));
    return saved.get();
  }

  private void show(Migration.Place place) {
    long now = System.nanoTime();
    if (shown == 0 || now - shown >= SHOWN_EVERY.toNanos()) {
      shown = now;
      double seconds = Math.max(1e-3, (now - started) / 1e9);
      semel
          .console()
          .progress(
              String.format(
                  Locale.ROOT,
                  "%d records read, %d copied, %.0f/s",
                  place.account().read(),
                  place.account().copied(),
                  place.account().read() / seconds));
    }
  }
}
