package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.idempotency.Store;
import dev.semel.cli.demo.DoubleClick;
import dev.semel.cli.demo.Ledger;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Shows what Semel is for, in a few seconds and without set-up. */
@CommandLine.Command(
    name = "demo",
    header = "Show what Semel does, beside the same without it.",
    description = {
      "",
      "Runs on a store of its own that is gone afterwards, unless --store names one.",
      ""
    },
    footer = {
      "",
      "Demos:",
      "  " + DoubleClick.NAME + "   " + DoubleClick.TITLE,
      "",
      "Example:",
      "  semel demo " + DoubleClick.NAME
    })
final class DemoCommand implements Callable<Integer> {
  private final Semel semel;

  @Parameters(
      arity = "0..1",
      paramLabel = "DEMO",
      description = "Which one (default: all there are).")
  private @Nullable String name;

  @Option(names = "--fast", description = "Without pauses for reading.")
  private boolean fast;

  DemoCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws InterruptedException {
    if (name != null && !name.equals(DoubleClick.NAME)) {
      throw new InvalidInput(
          "there is no demo %s: there is %s".formatted(Printable.quoted(name), DoubleClick.NAME));
    }
    Format format = semel.settings().output();
    Story story = new Story(semel.console(), format.machine(), fast);
    if (name == null) {
      story.list("There is one demo so far:", DoubleClick.NAME, DoubleClick.TITLE);
    }
    return semel.storeFlag().isPresent()
        ? play(semel.storeFlag().get(), story, format)
        : playApart(story, format);
  }

  private int playApart(Story story, Format format) throws InterruptedException {
    try (TemporaryFolder folder = TemporaryFolder.create("semel-demo")) {
      return play("sqlite:" + folder.path().resolve("semel.db"), story, format);
    }
  }

  private int play(String url, Story story, Format format) throws InterruptedException {
    try (Store store = Stores.open(url, semel.around().folder())) {
      story.title(DoubleClick.NAME, DoubleClick.TITLE);
      DoubleClick.Ending ending = DoubleClick.play(store, story);
      story.end("In the bank's ledger:", ending.without().toString(), ending.with().toString());
      if (format.machine()) {
        semel.console().line(json(ending, story));
      } else {
        next(ending);
      }
      return ending.with().charges() == 1 ? Exit.OK : Exit.FAILED;
    }
  }

  private static String json(DoubleClick.Ending ending, Story story) {
    return Json.object()
        .with("demo", DoubleClick.NAME)
        .with("key", ending.key().text())
        .with("steps", story.told())
        .with("without", json(ending.without()))
        .with("with", json(ending.with()))
        .write();
  }

  private static JsonValue json(Ledger ledger) {
    return Json.object().with("charges", ledger.charges()).with("cents", ledger.cents()).build();
  }

  private void next(DoubleClick.Ending ending) {
    Console console = semel.console();
    console.line("");
    if (semel.storeFlag().isPresent()) {
      console.line("Its record is still there: " + semel.hint("keys inspect " + ending.key()));
    }
    console.line("Try it yourself:");
    console.line("  %s".formatted(semel.hint("run --key hello -- date")));
    console.line("      run it twice: the second time it only tells what the first one said");
    console.line("  %s, %s".formatted(semel.hint("keys list"), semel.hint("stats")));
    console.line("      what has run, what runs, and how often it was asked for");
  }
}
