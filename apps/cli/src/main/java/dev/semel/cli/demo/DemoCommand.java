package dev.semel.cli.demo;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.cli.Console;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.TemporaryFolder;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.idempotency.spi.Store;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobQueue;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
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
      "Runs on a store of its own that is gone afterwards, unless --store names one;"
          + " outbox-crash always has its own, and so has zombie with memory:.",
      ""
    },
    footer = {
      "",
      "Demos:",
      "  double-click   a payment button, pressed twice",
      "  retry-storm    an export that fails half way, and five retries",
      "  webhooks       an event that is sent three times",
      "  cron-overlap   a nightly report that takes too long, on two machines",
      "  zombie         a worker that wakes up after its lease ended",
      "  outbox-crash   a shop that dies between its commit and the publish",
      "",
      "Examples:",
      "  semel demo double-click",
      "  semel demo zombie --store redis://localhost"
    })
public final class DemoCommand implements Callable<Integer> {
  private static final String MEMORY = "memory:";

  private final SemelCommand semel;

  @Parameters(
      arity = "0..1",
      paramLabel = "DEMO",
      description = "Which one (default: all there are).")
  private @Nullable String name;

  @Option(names = "--fast", description = "Without pauses for reading.")
  private boolean fast;

  public DemoCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() throws InterruptedException {
    List<DemoStories> chosen = chosen();
    OutputFormat format = semel.settings().output();
    if (chosen.size() > 1) {
      story(format)
          .list(
              "There are:",
              chosen.stream()
                  .map(demo -> "%-12s   %s".formatted(demo.text(), demo.title()))
                  .toList());
    }
    try (TemporaryFolder folder = TemporaryFolder.create("semel-demo");
        Store store = StoreUrls.open(storeUrl(folder.path()), semel.around().folder());
        JobQueue jobs = semel.queues().orInMemory(store)) {
      return play(chosen, new Place(store, jobs, folder.path()), format);
    }
  }

  private List<DemoStories> chosen() {
    List<DemoStories> chosen =
        Arrays.stream(DemoStories.values())
            .filter(demo -> name == null || demo.text().equals(name))
            .toList();
    if (chosen.isEmpty()) {
      throw new InvalidInput(
          "there is no demo %s: there are %s"
              .formatted(
                  PrintableText.quoted(String.valueOf(name)),
                  Arrays.stream(DemoStories.values())
                      .map(DemoStories::text)
                      .collect(Collectors.joining(", "))));
    }
    return chosen;
  }

  private String storeUrl(Path folder) {
    return semel.storeFlag().orElse("sqlite:" + folder.resolve("semel.db"));
  }

  /** Where all stories of a call run. */
  private record Place(Store store, JobQueue jobs, Path folder) {}

  private DemoStage stage(Place place, DemoStory story) {
    String url = urlElsewhere(place.folder());
    return new DemoStage(
        place.store(),
        place.jobs(),
        new DemoStage.Elsewhere(
            url, () -> StoreUrls.open(url, semel.around().folder()), DemoWorker.class),
        place.folder(),
        story);
  }

  /** A URL for a process in another folder, which can't see this one's memory. */
  private String urlElsewhere(Path folder) {
    String url = storeUrl(folder);
    if (url.startsWith(MEMORY)) {
      return "sqlite:" + folder.resolve("elsewhere.db");
    }
    return url.startsWith("sqlite:")
        ? "sqlite:" + StoreUrls.sqliteFile(url, semel.around().folder())
        : url;
  }

  private DemoStory story(OutputFormat format) {
    return new DemoStory(semel.console(), format.machine(), fast);
  }

  private int play(List<DemoStories> demos, Place place, OutputFormat format)
      throws InterruptedException {
    List<JsonValue> told = new ArrayList<>();
    Optional<Key> kept = Optional.empty();
    boolean once = true;
    for (DemoStories demo : demos) {
      DemoStory story = story(format);
      story.title(demo.text(), demo.title());
      DemoStories.Ending ending = demo.play(stage(place, story));
      story.end(ending.where(), ending.without().text(), ending.with().text());
      told.add(json(demo, ending, story));
      kept = kept.or(ending::key);
      once &= ending.once();
    }
    switch (format) {
      case JSON ->
          semel
              .console()
              .line(
                  Json.write(
                      told.size() == 1
                          ? told.getFirst()
                          : Json.object().with("demos", told).build()));
      case JSONL -> told.forEach(each -> semel.console().line(Json.write(each)));
      case TABLE, PLAIN -> next(kept);
    }
    return once ? ExitCode.OK : ExitCode.FAILED;
  }

  private static JsonValue json(DemoStories demo, DemoStories.Ending ending, DemoStory story) {
    JsonObjectBuilder members = Json.object().with("demo", demo.text());
    ending.key().ifPresent(key -> members.with("key", key.text()));
    return members
        .with("steps", story.told())
        .with("without", ending.without().json())
        .with("with", ending.with().json())
        .build();
  }

  private void next(Optional<Key> kept) {
    Console console = semel.console();
    if (kept.isPresent() && semel.storeFlag().filter(url -> !url.startsWith(MEMORY)).isPresent()) {
      console.line("Its record is still there: " + semel.hint("keys inspect " + kept.get()));
    }
    console.line("Try it yourself:");
    console.line("  %s".formatted(semel.hint("run --key hello -- date")));
    console.line("      run it twice: the second time it only tells what the first one said");
    console.line("  %s, %s".formatted(semel.hint("keys list"), semel.hint("stats")));
    console.line("      what has run, what runs, and how often it was asked for");
  }
}
