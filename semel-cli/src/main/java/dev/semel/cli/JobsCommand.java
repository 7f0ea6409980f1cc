package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.Printable;
import dev.semel.admin.JobDesk;
import dev.semel.job.JobOperations;
import dev.semel.job.JobOperations.Page;
import dev.semel.job.JobState;
import dev.semel.json.Json;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Work that waits in queues, and what became of it. */
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
final class JobsCommand {
  private JobsCommand() {}

  static CommandLine with(Semel semel) {
    CommandLine jobs = new CommandLine(new JobsCommand());
    jobs.addSubcommand(new ListCommand(semel));
    jobs.addSubcommand(new DeadCommand(semel));
    jobs.addSubcommand(new RetryCommand(semel));
    return jobs;
  }

  private static <R> R on(Semel semel, QueuesOption queues, Function<JobDesk, R> work) {
    return semel
        .centers()
        .onJobs(
            queues, center -> work.apply(center.jobs().orElseThrow(() -> Centers.lacks("jobs"))));
  }

  private static Optional<Operation> queue(@Nullable String name) {
    return Optional.ofNullable(name).map(Operation::new);
  }

  /** A part of a listing. */
  static final class PageOptions {
    @Parameters(
        arity = "0..1",
        paramLabel = "QUEUE",
        description = "Only this queue (default: all).")
    private @Nullable String queue;

    @Option(
        names = "--limit",
        paramLabel = "N",
        defaultValue = "100",
        description = "How many at most (default: ${DEFAULT-VALUE}).")
    private int limit = 100;

    @Option(
        names = "--cursor",
        paramLabel = "CURSOR",
        defaultValue = "",
        description = "Go on where the last page ended.")
    private String cursor = "";

    void check() {
      if (limit < 1 || limit > JobOperations.MAX_PAGE) {
        throw new InvalidInput(
            "--limit is from 1 to %d: use --cursor to go on".formatted(JobOperations.MAX_PAGE));
      }
    }

    Page read(JobDesk desk, Set<JobState> states) {
      return desk.list(queue(queue), states, cursor, limit);
    }

    /** What is to be known beside the page. */
    void notes(Semel semel, Page page, String none) {
      Format format = semel.settings().output();
      if (!page.cursor().isEmpty() && format != Format.JSON) {
        semel.console().note("there are more: go on with --cursor " + ShellWord.of(page.cursor()));
      }
      if (page.entries().isEmpty() && format == Format.TABLE) {
        semel.console().note(none + queue(queue).map(name -> " in " + name).orElse(""));
      }
    }
  }

  /** Lists jobs, a page at a time. */
  @CommandLine.Command(
      name = "list",
      header = "List jobs without their payload.",
      footer = {"", "Example:", "  semel jobs list exports --state pending,processing"})
  static final class ListCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final PageOptions page = new PageOptions();
    @Mixin private final QueuesOption queues = new QueuesOption();

    @Option(
        names = "--state",
        paramLabel = "STATE",
        defaultValue = "",
        description =
            "Only these: pending, processing, completed, failed, in-doubt; several with commas.")
    private String state = "";

    ListCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      page.check();
      Set<JobState> states = states(state);
      Format format = semel.settings().output();
      return on(
          semel,
          queues,
          desk -> {
            Page jobs = page.read(desk, states);
            new JobsView(jobs, desk.now(), false).list(format).forEach(semel.console()::line);
            page.notes(semel, jobs, states.isEmpty() ? "no jobs" : "no such jobs");
            return Exit.OK;
          });
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
                      Printable.quoted(word),
                      Arrays.stream(JobState.values())
                          .map(Printable::word)
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
    private final Semel semel;
    @Mixin private final PageOptions page = new PageOptions();
    @Mixin private final QueuesOption queues = new QueuesOption();

    @Option(names = "--trace", description = "With all that is kept of each failure.")
    private boolean trace;

    DeadCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      page.check();
      Format format = semel.settings().output();
      if (trace && format == Format.PLAIN) {
        throw new InvalidInput("a trace has many lines, and -o plain one for each job: use json");
      }
      return on(
          semel,
          queues,
          desk -> {
            Page jobs = page.read(desk, JobDesk.DEAD);
            new JobsView(jobs, desk.now(), trace).dead(format).forEach(semel.console()::line);
            page.notes(semel, jobs, "no dead letters");
            return Exit.OK;
          });
    }
  }

  /** Gives dead letters another chance. */
  @CommandLine.Command(
      name = "retry",
      header = "Put dead letters back into their queue, and let them run.",
      description = {
        "",
        "A record that says that the job failed for good, or that is in doubt, is released; if the"
            + " job did take effect, it will have done so twice. One whose record says that it took"
            + " effect does not run again.",
        ""
      },
      footer = {
        "",
        "Examples:",
        "  semel jobs retry exports --key 2026-01-31",
        "  semel jobs retry exports --all"
      })
  static final class RetryCommand implements Callable<Integer> {
    private final Semel semel;
    @Mixin private final QueuesOption queues = new QueuesOption();

    @Parameters(
        arity = "0..1",
        paramLabel = "QUEUE",
        description = "Only this queue (default: all).")
    private @Nullable String queue;

    @Option(
        names = "--key",
        paramLabel = "KEY",
        description = "This job: id (of QUEUE), operation:id or tenant/operation:id.")
    private @Nullable String key;

    @Option(names = "--all", description = "All dead letters.")
    private boolean all;

    @Option(
        names = {"-y", "--yes"},
        description = "Do not ask.")
    private boolean yes;

    RetryCommand(Semel semel) {
      this.semel = semel;
    }

    @Override
    public Integer call() {
      Optional<Operation> only = queue(queue);
      if (all == (key != null)) {
        throw new InvalidInput("name one dead letter with --key, or all of them with --all");
      }
      Optional<Key> one = Optional.ofNullable(key).map(text -> key(text, only));
      return on(
          semel, queues, desk -> one.isPresent() ? retry(desk, one.get()) : retryAll(desk, only));
    }

    private static Key key(String text, Optional<Operation> only) {
      Key key = only.isPresent() ? Key.parse(text, only.get()) : Key.parse(text);
      if (only.isPresent() && !only.get().equals(key.operation())) {
        throw new InvalidInput("%s is no job of the queue %s".formatted(key, only.get()));
      }
      return key;
    }

    private int retry(JobDesk desk, Key wanted) {
      Optional<JobOperations.Entry> found =
          desk.find(wanted).filter(entry -> entry.state().isDead());
      if (found.isEmpty()) {
        return notFound(wanted);
      }
      String touched =
          "This puts 1 dead letter back into its queue: %s, which is %s%s."
              .formatted(wanted, Printable.word(found.get().state()), risk(found.get().state()));
      if (!semel.console().confirm(touched, yes)) {
        return nothing();
      }
      if (!desk.retry(wanted)) {
        return notFound(wanted); // someone else was quicker
      }
      return done(1);
    }

    private static String risk(JobState state) {
      return state == JobState.IN_DOUBT ? ": if it took effect, it will do so twice" : "";
    }

    private int retryAll(JobDesk desk, Optional<Operation> only) {
      long dead = desk.dead(only);
      if (dead == 0) {
        return done(0);
      }
      String touched =
          "This puts %,d %s back into %s; those in doubt that took effect will do so twice."
              .formatted(
                  dead,
                  dead == 1 ? "dead letter" : "dead letters",
                  only.map(name -> "the queue " + name).orElse("their queues"));
      if (!semel.console().confirm(touched, yes)) {
        return nothing();
      }
      long went =
          desk.retryAll(only, so -> semel.console().progress("retried %,d so far".formatted(so)));
      semel.console().progress("");
      return done(went);
    }

    private int notFound(Key wanted) {
      semel.console().complain("there is no dead letter %s: see semel jobs dead".formatted(wanted));
      return Exit.NOT_FOUND;
    }

    private int nothing() {
      semel.console().note("nothing was done");
      return Exit.OK;
    }

    private int done(long count) {
      semel
          .console()
          .line(
              switch (semel.settings().output()) {
                case TABLE -> "retried %,d %s".formatted(count, count == 1 ? "job" : "jobs");
                case JSON, JSONL -> Json.object().with("retried", count).write();
                case PLAIN -> Long.toString(count);
              });
      return Exit.OK;
    }
  }
}
