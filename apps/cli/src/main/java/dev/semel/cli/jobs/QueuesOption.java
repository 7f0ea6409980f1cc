package dev.semel.cli.jobs;

import dev.semel.InvalidInput;
import dev.semel.cli.SemelCommand;
import dev.semel.idempotency.spi.Store;
import dev.semel.job.spi.JobQueue;
import dev.semel.nats.JetStreamJobs;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The option for job queues: on the store's engine, or on one that only has queues. */
public final class QueuesOption {
  private static final String STREAM = "stream=";

  @Option(
      names = "--queues",
      paramLabel = "URL",
      description =
          "Where the queues are, if not in the store: nats://host, with ?stream=NAME if it is not "
              + JetStreamJobs.DEFAULT_STREAM
              + ".")
  private @Nullable String url;

  /** Whether the call itself names other queues than the store's. */
  public boolean given() {
    return url != null;
  }

  /** Opens the queue; creates nothing. */
  public JobQueue open(SemelCommand semel, Store store) {
    return url == null ? semel.queues().required(store) : existing(url);
  }

  private static JobQueue existing(String url) {
    if (!url.startsWith("nats://") && !url.startsWith("tls://")) {
      throw new InvalidInput(
          "--queues names no queue that is known here: use nats://host, or leave it out for those"
              + " of the store");
    }
    int options = url.indexOf('?');
    if (options < 0) {
      return JetStreamJobs.existing(url, JetStreamJobs.DEFAULT_STREAM);
    }
    String option = url.substring(options + 1);
    if (!option.startsWith(STREAM)) {
      throw new InvalidInput("the only option of --queues is ?stream=NAME");
    }
    return JetStreamJobs.existing(url.substring(0, options), option.substring(STREAM.length()));
  }
}
