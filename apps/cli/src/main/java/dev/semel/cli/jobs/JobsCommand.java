package dev.semel.cli.jobs;

import dev.semel.InvalidInput;
import dev.semel.Operation;
import dev.semel.admin.QueueAdmin;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.PageOptions;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.ControlCenters;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobOperations.Page;
import dev.semel.job.spi.JobState;
import java.time.Instant;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Commands on jobs: work that waits in queues, and its results. */
@CommandLine.Command(
    name = "jobs",
    header = "See jobs and dead letters, and give those another chance.",
    synopsisSubcommandLabel = "COMMAND",
    footer = {
      "",
      "Examples:",
      "  semel jobs list exports --state pending,processing",
      "  semel jobs dead --trace",
      "  semel jobs retry exports --all"
    })
public final class JobsCommand {
  private JobsCommand() {}

  public static CommandLine with(SemelCommand semel) {
    CommandLine jobs = new CommandLine(new JobsCommand());
    jobs.addSubcommand(new ListCommand(semel));
    jobs.addSubcommand(new DeadCommand(semel));
    jobs.addSubcommand(new JobsRetryCommand(semel));
    return jobs;
  }

  static <R> R on(SemelCommand semel, QueuesOption queues, Function<QueueAdmin, R> work) {
    return semel
        .centers()
        .onJobs(
            queues,
            center -> work.apply(center.jobs().orElseThrow(() -> ControlCenters.lacks("jobs"))));
  }

  static Optional<Operation> queue(@Nullable String name) {
    return Optional.ofNullable(name).map(Operation::new);
  }

  /** Options that select jobs. */
  static final class ListOptions {
    @Mixin private final PageOptions page = new PageOptions();
    @Mixin private final QueuesOption queues = new QueuesOption();

    @Parameters(
        arity = "0..1",
        paramLabel = "QUEUE",
        description = "Only this queue (default: all).")
    private @Nullable String queue;

    /**
     * Lists jobs in these states.
     *
     * @param shown renders a page, at the queue's time, as lines
     * @param none the note if there are none
     */
    int list(
        SemelCommand semel,
        Set<JobState> states,
        BiFunction<Page, Instant, List<String>> shown,
        String none) {
      int limit = page.limit(JobOperations.MAX_PAGE);
      Optional<Operation> only = queue(queue);
      return on(
          semel,
          queues,
          queueAdmin -> {
            Page jobs = queueAdmin.list(only, states, page.cursor(), limit);
            shown.apply(jobs, queueAdmin.now()).forEach(semel.console()::line);
            PageOptions.notes(
                semel,
                jobs.cursor(),
                jobs.entries().isEmpty(),
                none + only.map(name -> " in " + name).orElse(""));
            return ExitCode.OK;
          });
    }
  }

  /** Lists jobs, a page at a time. */
  @CommandLine.Command(
      name = "list",
      header = "List jobs without their payload.",
      footer = {"", "Example:", "  semel jobs list exports --state pending,processing"})
  static final class ListCommand implements Callable<Integer> {
    private final SemelCommand semel;
    @Mixin private final ListOptions options = new ListOptions();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        defaultValue = "",
        description =
            "Only these: pending, processing, completed, failed, in-doubt; several with commas.")
    private String state = "";

    ListCommand(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Set<JobState> states = states(state);
      OutputFormat format = semel.settings().output();
      return options.list(
          semel,
          states,
          (jobs, now) -> new JobsView(jobs, now, false).list(format),
          states.isEmpty() ? "no jobs" : "no such jobs");
    }

    private static Set<JobState> states(String text) {
      Set<JobState> states = EnumSet.noneOf(JobState.class);
      for (String word : text.isEmpty() ? new String[0] : text.split(",", -1)) {
        try {
          states.add(JobState.valueOf(word.toUpperCase(Locale.ROOT).replace('-', '_')));
        } catch (IllegalArgumentException e) {
          throw new InvalidInput(
              "there is no state %s: use %s"
                  .formatted(
                      PrintableText.quoted(word),
                      Arrays.stream(JobState.values())
                          .map(PrintableText::word)
                          .collect(Collectors.joining(", "))));
        }
      }
      return states;
    }
  }

  /** Lists dead letters, a page at a time. */
  @CommandLine.Command(
      name = "dead",
      header = "List dead letters: what failed for good or too often, and what is in doubt.",
      footer = {"", "Example:", "  semel jobs dead exports --trace"})
  static final class DeadCommand implements Callable<Integer> {
    private final SemelCommand semel;
    @Mixin private final ListOptions options = new ListOptions();

    @Option(names = "--trace", description = "With all that is kept of each failure.")
    private boolean trace;

    DeadCommand(SemelCommand semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      OutputFormat format = semel.settings().output();
      if (trace && format == OutputFormat.PLAIN) {
        throw new InvalidInput("a trace has many lines, and -o plain one for each job: use json");
      }
      return options.list(
          semel,
          QueueAdmin.DEAD,
          (jobs, now) -> new JobsView(jobs, now, trace).dead(format),
          "no dead letters");
    }
  }
}
