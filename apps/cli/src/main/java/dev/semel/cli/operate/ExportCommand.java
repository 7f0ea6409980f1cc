package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.KeyFilter;
import dev.semel.admin.document.internal.EventDocument;
import dev.semel.admin.document.internal.ExportTable;
import dev.semel.admin.document.internal.KeyDocument;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionFile;
import dev.semel.cli.SemelCommand;
import dev.semel.event.EventLine;
import dev.semel.event.spi.EventStore;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Writes all entries of a kind as they are read: any number, in little memory. */
@CommandLine.Command(
    name = "export",
    header = "Write all keys, events or counts as JSON or CSV.",
    description = {
      "",
      "A file gets its name when it is complete. CSV is as RFC 4180 has it; a text that a"
          + " spreadsheet would take for a formula begins with an apostrophe there.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel export keys --format csv --file keys.csv",
      "  semel export events --format jsonl | gzip > events.jsonl.gz",
      "  semel export stats --format csv"
    })
public final class ExportCommand implements Callable<Integer> {
  private final SemelCommand semel;

  @Parameters(paramLabel = "keys|events|stats", description = "What to write.")
  private @Nullable String what;

  @Option(
      names = "--format",
      paramLabel = "FORMAT",
      defaultValue = "json",
      description = "json, jsonl or csv (default: ${DEFAULT-VALUE}).")
  private String format = "json";

  @Option(
      names = "--file",
      paramLabel = "FILE",
      description = "Where to (default: standard output).")
  private @Nullable String file;

  @Option(names = "--mask", description = "Of events: leave out ids and what may be personal.")
  private boolean mask;

  @Option(
      names = {"-y", "--yes"},
      description = "Replace a file that is there.")
  private boolean yes;

  public ExportCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws IOException {
    semel.refuseOutputFlag("choose with --format json, jsonl or csv");
    ExportTable wanted = choice(ExportTable.class, SemelCommand.given(what), "exported");
    ExportFormat form = choice(ExportFormat.class, format, "a format");
    if (mask && wanted != ExportTable.EVENTS) {
      throw new InvalidInput("--mask is for events: keys are listed by their ids");
    }
    if (file == null) {
      return print(new ExportWriter(wanted, form, semel.console().streams().out()), wanted);
    }
    Path path = OptionFile.path(semel.around().folder(), "the file", file);
    try (UnfinishedFile unfinished = UnfinishedFile.beside(path)) {
      if (unfinished.replaces()
          && !semel.console().confirm("replace %s".formatted(PrintableText.safe(file)), yes)) {
        semel.console().complain("nothing was done");
        return ExitCode.FAILED;
      }
      long rows = write(wanted, new ExportWriter(wanted, form, unfinished.out()));
      unfinished.finish();
      semel.console().note("%d %s in %s".formatted(rows, PrintableText.word(wanted), path));
    }
    return ExitCode.OK;
  }

  /** Fails on a full disk, or if the reader leaves: the export is not complete then. */
  private int print(ExportWriter writer, ExportTable wanted) {
    long unused = write(wanted, writer);
    if (!writer.wanted()) {
      semel.console().complain("not all of it could be written to standard output");
      return ExitCode.FAILED;
    }
    return ExitCode.OK;
  }

  private static <E extends Enum<E>> E choice(Class<E> type, String text, String role) {
    for (E each : type.getEnumConstants()) {
      if (PrintableText.word(each).equals(text.toLowerCase(Locale.ROOT))) {
        return each;
      }
    }
    StringBuilder known = new StringBuilder();
    for (E each : type.getEnumConstants()) {
      known.append(known.isEmpty() ? "" : ", ").append(PrintableText.word(each));
    }
    throw new InvalidInput(
        "%s can't be %s: there are %s".formatted(PrintableText.quoted(text), role, known));
  }

  private long write(ExportTable wanted, ExportWriter writer) {
    return semel.centers().onStore(center -> write(center, wanted, writer));
  }

  private long write(ControlCenter center, ExportTable wanted, ExportWriter writer) {
    switch (wanted) {
      case KEYS -> keys(center, writer);
      case EVENTS -> events(center, writer);
      case STATS ->
          center.stats().operations().forEach(each -> writer.row(StatsDocument.row(each).build()));
    }
    writer.end();
    semel.console().progress("");
    return writer.rows();
  }

  private void keys(ControlCenter center, ExportWriter writer) {
    String cursor = "";
    do {
      ControlCenter.KeyPage page = center.keys(KeyFilter.ALL, cursor, ControlCenter.MAX_PAGE);
      page.keys().forEach(each -> writer.row(KeyDocument.json(each).build()));
      cursor = page.next();
      semel.console().progress("%d keys".formatted(writer.rows()));
    } while (!cursor.isEmpty() && writer.wanted());
  }

  /**
   * Ends at the line that is newest at the start, because a log may grow faster than it is read.
   */
  private void events(ControlCenter center, ExportWriter writer) {
    List<EventLine> newest = center.latest("", 1);
    String cursor = "";
    while (writer.wanted()) {
      EventStore.Page page = center.events(cursor, EventStore.MAX_PAGE);
      for (EventLine line : page.lines()) {
        writer.row(EventDocument.row(mask ? line.erased() : line).build());
        if (!newest.isEmpty() && same(newest.getFirst(), line)) {
          return;
        }
      }
      semel.console().progress("%d events".formatted(writer.rows()));
      if (page.lines().isEmpty()) {
        return; // there is none, or it was trimmed meanwhile
      }
      cursor = page.next();
    }
  }

  private static boolean same(EventLine one, EventLine other) {
    return one.number() == other.number() && one.writer().equals(other.writer());
  }
}
