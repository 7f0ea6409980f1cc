package dev.semel.cli.tui;

import dev.semel.InvalidInput;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.StoreStats;
import dev.semel.admin.document.internal.StatsDocument;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OptionFile;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.operate.UnfinishedFile;
import dev.semel.cli.tui.view.TerminalStyle;
import dev.semel.internal.PrintableText;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Opens the control center on the terminal. */
@CommandLine.Command(
    name = "tui",
    header = "Watch and run it all from one screen: the control center.",
    description = {
      "",
      "Counts, the last day, blocked duplicates as they come, keys, outbox, settings and advice."
          + " Three panels from 118 columns on, tabs below. h shows the keys.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel tui",
      "  SEMEL_URL=http://127.0.0.1:4437 semel tui",
      "  semel tui --store redis://127.0.0.1 --theme light",
      "  semel tui --snapshot center.svg --size 140x40"
    })
public final class TuiCommand implements Callable<Integer> {
  private static final DateTimeFormatter FILE_TIME =
      DateTimeFormatter.ofPattern("yyyyMMdd-HHmmss-SSS", Locale.ROOT).withZone(ZoneOffset.UTC);

  private final SemelCommand semel;

  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(
      names = "--theme",
      paramLabel = "THEME",
      description = "dark, light or plain (default: as the terminal says; NO_COLOR: plain).")
  private @Nullable String theme;

  @Option(
      names = "--snapshot",
      paramLabel = "FILE",
      description = "Write what would be shown to an SVG picture, and end.")
  private @Nullable String snapshot;

  @Option(
      names = "--size",
      paramLabel = "COLSxROWS",
      defaultValue = "140x40",
      description = "Of the picture (default: ${DEFAULT-VALUE}).")
  private String size = "140x40";

  @Option(
      names = "--panel",
      paramLabel = "PANEL",
      defaultValue = "stats",
      description = "Of the picture: stats, keys, outbox or config (default: stats).")
  private String panel = "stats";

  public TuiCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    semel.refuseOutputFlag("it is a screen; for figures: semel stats -o json");
    if (snapshot != null) {
      return picture(OptionFile.path(semel.around().folder(), "the file", snapshot));
    }
    TerminalStyle look = look(TerminalStyle.of(semel.around().environment()));
    if (!semel.console().streams().inIsTerminal() || !semel.console().streams().outIsTerminal()) {
      throw new InvalidInput(
          "semel tui needs a terminal: use semel stats and semel keys list in scripts, or --snapshot FILE for a picture");
    }
    return semel.centers().onEverything(database, center -> show(center, look));
  }

  private TerminalStyle look(TerminalStyle usual) {
    return theme == null ? usual : usual.with(theme);
  }

  private int show(ControlCenter center, TerminalStyle look) {
    try {
      Tui.run(center, this::export, look);
      return ExitCode.OK;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Each export has a new file, so that earlier ones stay. */
  private String export(StoreStats stats) throws IOException {
    String name = "semel-stats-%s.json".formatted(FILE_TIME.format(Instant.now()));
    write(semel.around().folder().resolve(name), StatsDocument.json(stats).write() + "\n");
    return name;
  }

  private static void write(Path file, String text) throws IOException {
    try (UnfinishedFile unfinished = UnfinishedFile.beside(file)) {
      unfinished.out().print(text);
      unfinished.finish();
    }
  }

  private int picture(Path file) {
    ScreenSnapshot.Size wanted = ScreenSnapshot.Size.parse(size);
    TerminalStyle look = look(TerminalStyle.full());
    Panel shown = panel();
    String svg =
        semel
            .centers()
            .onEverything(database, center -> ScreenSnapshot.take(center, wanted, shown, look));
    try {
      write(file, svg);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    semel.console().note("%s is in %s".formatted(size, PrintableText.safe(file.toString())));
    return ExitCode.OK;
  }

  private Panel panel() {
    return Arrays.stream(Panel.values())
        .filter(each -> PrintableText.word(each).equals(panel.toLowerCase(Locale.ROOT)))
        .findFirst()
        .orElseThrow(
            () ->
                new InvalidInput(
                    "there is no panel %s: use stats, keys, outbox or config"
                        .formatted(PrintableText.quoted(panel))));
  }
}
