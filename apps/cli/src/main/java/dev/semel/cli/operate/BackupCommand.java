package dev.semel.cli.operate;

import dev.semel.StoreException;
import dev.semel.admin.Backup;
import dev.semel.admin.document.internal.BackupDocument;
import dev.semel.cli.ByteSizes;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionFile;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.cli.connect.StreamUrls;
import dev.semel.idempotency.spi.FileBackedStore;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.SqliteStore;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.server.backup.BackupFolder;
import dev.semel.server.backup.BackupMaker;
import dev.semel.stream.JournalStreams;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Copies the data folder while it is in use, and checks such copies. */
@CommandLine.Command(
    name = "backup",
    header = "Copy the data folder while it is used.",
    description = {
      "",
      "The SQLite file and the streams, each as it is at one moment. The result is a data folder:"
          + " to restore, copy it and name the copy with --data. A server that has the streams"
          + " makes the backup itself: with SEMEL_URL, DIR is a name among its backups.",
      "",
      "A folder that is there is never written to; one that is not whole never has that name.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel backup /backups/monday",
      "  semel backup --verify /backups/monday",
      "  SEMEL_URL=http://127.0.0.1:4437 semel backup monday"
    })
public final class BackupCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Parameters(paramLabel = "DIR", description = "The backup's folder, not there yet.")
  private @Nullable String folder;

  @Option(names = "--verify", description = "Check the backup that is there.")
  private boolean verify;

  @Option(
      names = "--streams",
      paramLabel = "URL",
      description = "journal:DIR (default: the data folder's own; SEMEL_STREAMS).")
  private @Nullable String streams;

  public BackupCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    OutputFormat format = semel.settings().output();
    String name = SemelCommand.given(folder);
    if (verify) {
      return verify(path(name), format);
    }
    CommandSettings settings = semel.settings(CommandSettings.STREAMS, streams);
    Backup made =
        settings.center().isPresent() && settings.server().isPresent()
            ? semel.centers().onStore(center -> center.backup(name))
            : here(settings, path(name));
    semel.console().progress("");
    semel
        .console()
        .line(
            switch (format) {
              case TABLE ->
                  "%s: %d records, %d files of streams, %s"
                      .formatted(
                          PrintableText.safe(made.folder()),
                          made.records(),
                          made.streamFiles(),
                          ByteSizes.text(made.bytes()));
              case JSON, JSONL -> BackupDocument.json(made).write();
              case PLAIN -> made.folder();
            });
    return ExitCode.OK;
  }

  private Path path(String name) {
    return OptionFile.path(semel.around().folder(), "the backup", name).normalize();
  }

  /** Refuses missing files instead of creating and copying empty ones. */
  private Backup here(CommandSettings settings, Path target) {
    String storeUrl = settings.ownStoreUrl();
    String streamsUrl = settings.ownStreamsUrl();
    Path around = semel.around().folder();
    boolean hasStore =
        storeUrl.startsWith("sqlite:") && Files.exists(StoreUrls.sqliteFile(storeUrl, around));
    boolean hasStreams =
        streamsUrl.startsWith("journal:")
            && Files.exists(StreamUrls.journalFolder(streamsUrl, around));
    Optional<Store> store =
        hasStore ? Optional.of(StoreUrls.open(storeUrl, around)) : Optional.empty();
    try {
      Optional<Streams> opened =
          hasStreams
              ? Optional.of(StreamUrls.open(streamsUrl, semel.around(), "", true))
              : Optional.empty();
      try {
        return new BackupMaker(
                store.map(FileBackedStore.class::cast), opened.map(JournalStreams.class::cast))
            .make(target, this::show);
      } finally {
        opened.ifPresent(Streams::close);
      }
    } finally {
      store.ifPresent(Store::close);
    }
  }

  private void show(BackupMaker.Step step, long bytes) {
    semel
        .console()
        .progress(
            switch (step) {
              case COPYING_STORE -> "copying the store";
              case COPYING_STREAMS -> "copied " + ByteSizes.text(bytes) + " of streams";
              case LISTING -> "listing what is in it";
            });
  }

  private int verify(Path target, OutputFormat format) throws IOException {
    if (!Files.exists(target.resolve(BackupFolder.SUMS))) {
      semel
          .console()
          .complain("there is no whole backup at " + PrintableText.safe(target.toString()));
      return ExitCode.NOT_FOUND;
    }
    List<String> wrong = new ArrayList<>(BackupFolder.compare(target));
    if (wrong.isEmpty() && Files.exists(target.resolve(BackupFolder.STORE))) {
      try {
        long unused = SqliteStore.checkBackup(target.resolve(BackupFolder.STORE));
      } catch (StoreException e) {
        wrong.add(String.valueOf(e.getMessage()));
      }
    }
    switch (format) {
      case TABLE, PLAIN -> {
        semel.console().line(wrong.isEmpty() ? "whole" : "damaged");
        wrong.forEach(each -> semel.console().line(PrintableText.safe(each)));
      }
      case JSON, JSONL ->
          semel
              .console()
              .line(
                  Json.object()
                      .with("whole", wrong.isEmpty())
                      .with("findings", wrong.stream().map(JsonValue::of).toList())
                      .write());
    }
    return wrong.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }
}
