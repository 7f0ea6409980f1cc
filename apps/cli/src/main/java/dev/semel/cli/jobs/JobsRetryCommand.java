package dev.semel.cli.jobs;

import dev.semel.InvalidInput;
import dev.semel.Key;
import dev.semel.Operation;
import dev.semel.admin.QueueAdmin;
import dev.semel.cli.CountedNoun;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.internal.PrintableText;
import dev.semel.job.spi.JobOperations;
import dev.semel.job.spi.JobState;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** Retries dead letters. */
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
final class JobsRetryCommand implements Callable<Integer> {
  private final SemelCommand semel;
  @Mixin private final QueuesOption queues = new QueuesOption();

  @Parameters(arity = "0..1", paramLabel = "QUEUE", description = "Only this queue (default: all).")
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

  JobsRetryCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Optional<Operation> only = JobsCommand.queue(queue);
    if (all == (key != null)) {
      throw new InvalidInput("name one dead letter with --key, or all of them with --all");
    }
    Optional<Key> one = Optional.ofNullable(key).map(text -> key(text, only));
    return JobsCommand.on(
        semel,
        queues,
        queueAdmin -> one.isPresent() ? retry(queueAdmin, one.get()) : retryAll(queueAdmin, only));
  }

  private static Key key(String text, Optional<Operation> only) {
    Key key = only.isPresent() ? Key.parse(text, only.get()) : Key.parse(text);
    if (only.isPresent() && !only.get().equals(key.operation())) {
      throw new InvalidInput("%s is no job of the queue %s".formatted(key, only.get()));
    }
    return key;
  }

  private int retry(QueueAdmin queueAdmin, Key wanted) {
    Optional<JobOperations.Entry> found =
        queueAdmin.find(wanted).filter(entry -> entry.state().isDead());
    if (found.isEmpty()) {
      return notFound(wanted);
    }
    String touched =
        "This puts 1 dead letter back into its queue: %s, which is %s%s."
            .formatted(wanted, PrintableText.word(found.get().state()), risk(found.get().state()));
    if (semel.console().declined(touched, yes)) {
      return ExitCode.OK;
    }
    if (!queueAdmin.retry(wanted)) {
      return notFound(wanted); // another caller was quicker
    }
    return done(1);
  }

  private static String risk(JobState state) {
    return state == JobState.IN_DOUBT ? ": if it took effect, it will do so twice" : "";
  }

  private int retryAll(QueueAdmin queueAdmin, Optional<Operation> only) {
    CountedNoun dead = new CountedNoun(queueAdmin.dead(only), "dead letter");
    if (dead.count() == 0) {
      return done(0);
    }
    String does =
        "This puts %s back into %s; those in doubt that took effect will do so twice."
            .formatted(dead.text(), only.map(name -> "the queue " + name).orElse("their queues"));
    if (semel.console().declined(does, yes)) {
      return ExitCode.OK;
    }
    long went =
        queueAdmin.retryAll(
            only, so -> semel.console().progress("retried %,d so far".formatted(so)));
    semel.console().progress("");
    return done(went);
  }

  private int notFound(Key wanted) {
    semel.console().complain("there is no dead letter %s: see semel jobs dead".formatted(wanted));
    return ExitCode.NOT_FOUND;
  }

  private int done(long count) {
    return new CountedNoun(count, "job").tell(semel, "retried");
  }
}
