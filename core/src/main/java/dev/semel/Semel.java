package dev.semel;

import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;
import dev.semel.engine.internal.Engines;
import dev.semel.engine.spi.Engine;
import dev.semel.engine.spi.EngineOptions;
import dev.semel.event.ProcessEvents;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.ClaimResult;
import dev.semel.idempotency.GuardedExecutor;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.OnceCall;
import dev.semel.idempotency.Reservations;
import dev.semel.idempotency.Sequence;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.Inbox;
import dev.semel.internal.PrintableText;
import dev.semel.job.Cron;
import dev.semel.job.CronSchedule;
import dev.semel.job.CronSettings;
import dev.semel.job.CronWork;
import dev.semel.job.ExactlyOnceProcessor;
import dev.semel.job.JobHandler;
import dev.semel.job.Jobs;
import dev.semel.job.ProcessorSettings;
import dev.semel.job.spi.JobQueue;
import dev.semel.outbox.Outbox;
import java.nio.file.Path;
import java.sql.Connection;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * The entry point: opens an engine by its URL and gives access to every feature on it.
 *
 * <pre>{@code
 * try (Semel semel = Semel.open("sqlite:semel.db")) {
 *   Outcome<String> outcome =
 *       semel.once("payment", "order-123").request(body).run(execution -> charge(execution.effectKey()));
 * }
 * }</pre>
 *
 * <p>URLs: {@code memory:} (gone with the process), {@code sqlite:FILE}, {@code
 * postgresql://user@host/database}, {@code mariadb://user@host/database}, {@code redis://host},
 * {@code redis-cluster://host,host}. An engine is found if its artifact is on the class path.
 *
 * <p>Safe for use by many threads; one per process is enough. To use your own {@code DataSource},
 * for example, build the parts from {@link Idempotency}, {@link Jobs} and the engines' types
 * instead.
 */
public final class Semel implements AutoCloseable {
  private final Engine engine;
  private final Idempotency idempotency;
  private final ProcessEvents.Listening failures;
  private final Deque<AutoCloseable> started = new ArrayDeque<>();
  private boolean closed;

  private Semel(Builder settings) {
    this.engine = Engines.open(settings.url, settings.options);
    Idempotency opened;
    try {
      opened =
          settings.journals.isPresent()
              ? new Idempotency(engine.store(), settings.listener, settings.journals.get())
              : new Idempotency(engine.store(), settings.listener);
    } catch (RuntimeException e) {
      engine.close();
      throw e;
    }
    this.idempotency = opened;
    this.failures = ProcessEvents.listen(idempotency.listener());
  }

  /**
   * Opens with everything at its default.
   *
   * @throws InvalidInput the URL is not valid, or its engine's artifact or driver is missing; the
   *     message names what to add
   * @throws StoreException the engine can't be reached or used
   */
  public static Semel open(String url) {
    return builder(url).open();
  }

  /** Starts with default settings; {@link Builder#open} opens the engine. */
  public static Builder builder(String url) {
    return new Builder(url);
  }

  /** Settings to choose before the engine is opened. */
  public static final class Builder {
    private final String url;
    private SemelListener listener = SemelListener.NONE;
    private Optional<Path> journals = Optional.empty();
    private EngineOptions options = EngineOptions.defaults();

    private Builder(String url) {
      this.url = url;
    }

    /** Receives every decision of this process, in addition to the store's event log. */
    public Builder listener(SemelListener value) {
      listener = value;
      return this;
    }

    /**
     * The folder in which operations that continue while the store is away write down what ran;
     * many processes may share it. See {@link dev.semel.idempotency.OnOutage#WARN_AND_CONTINUE}.
     */
    public Builder journals(Path folder) {
      journals = Optional.of(folder);
      return this;
    }

    /** The clock of engines that have none: memory and SQLite. */
    public Builder clock(InstantSource value) {
      options = options.withClock(value);
      return this;
    }

    /** The folder that relative paths of files start from; default: the working directory. */
    public Builder folder(Path value) {
      options = options.withFolder(value);
      return this;
    }

    /** False: opening fails if tables are missing, instead of creating them. */
    public Builder createTables(boolean value) {
      options = options.withCreateTables(value);
      return this;
    }

    /**
     * Opens the engine.
     *
     * @throws InvalidInput the URL is not valid, or its engine's artifact or driver is missing
     * @throws StoreException the engine can't be reached or used
     */
    public Semel open() {
      return new Semel(this);
    }
  }

  /** Starts a call of an operation that is to happen once under this id. */
  public OnceCall<String> once(String operation, String id) {
    return once(Key.of(operation, id));
  }

  /**
   * Starts a call of an operation that is to happen once under this key, which may name a tenant.
   */
  public OnceCall<String> once(Key key) {
    return OnceCall.of(key, idempotency, this::joining);
  }

  private GuardedExecutor joining(Connection connection) {
    return engine
        .joining(connection, idempotency.maintenance())
        .orElseThrow(
            () ->
                new InvalidInput(
                    "%s can't join a transaction: use the database that the connection is to"
                        .formatted(PrintableText.safe(store().describe()))));
  }

  /**
   * Reserves a key, for callers that can't wrap their work in a function; {@link #reservations}
   * confirms, renews and releases it.
   */
  public ClaimResult reserve(String operation, String id) {
    return reservations().reserve(Key.of(operation, id));
  }

  /** Reserves, confirms, releases and renews keys, for callers that can't wrap their work. */
  public Reservations reservations() {
    return idempotency.reservations();
  }

  /**
   * Ordered steps per key: the next step may start only after the last one ended. For work that
   * throws checked exceptions; otherwise {@link OnceCall#inSequence} is shorter.
   */
  public Sequence sequence() {
    return idempotency.sequence();
  }

  /** Sends messages that commit together with a transaction of this database. */
  public Outbox outbox() {
    return engine.outbox().orElseThrow(() -> lacks("outbox"));
  }

  /** Handles messages whose effects commit together with a transaction of this database. */
  public Inbox inbox() {
    return engine.inbox().orElseThrow(() -> lacks("inbox"));
  }

  /** Adds jobs to queues. */
  public Jobs jobs() {
    return new Jobs(queue(), idempotency.maintenance());
  }

  private JobQueue queue() {
    return engine.jobs().orElseThrow(() -> lacks("job queue"));
  }

  private InvalidInput lacks(String what) {
    return new InvalidInput(
        "%s has no %s: use sqlite:, postgresql: or mariadb:"
            .formatted(PrintableText.safe(store().describe()), what));
  }

  /** Handles the jobs of a queue from now on, until the processor or this is closed. */
  public ExactlyOnceProcessor handleJobs(String queue, JobHandler handler) {
    return handleJobs(queue, ProcessorSettings.defaults(), handler);
  }

  /** Handles the jobs of a queue with these settings, until the processor or this is closed. */
  public ExactlyOnceProcessor handleJobs(
      String queue, ProcessorSettings settings, JobHandler handler) {
    return keep(
        ExactlyOnceProcessor.start(jobs(), idempotency, new Operation(queue), handler, settings));
  }

  /**
   * Runs the work at each slot of a schedule until the cron or this is closed. If several processes
   * start this cron, one of them runs each slot.
   *
   * @param schedule such as {@code CronSchedule.parse("0 3 * * *", ZoneId.of("Europe/Berlin"))}
   */
  public Cron cron(String operation, CronSchedule schedule, CronWork work) {
    return cron(operation, schedule, CronSettings.defaults(), work);
  }

  /**
   * Runs the work at each slot of a schedule, with these settings; see {@link #cron(String,
   * CronSchedule, CronWork)}.
   */
  public Cron cron(String operation, CronSchedule schedule, CronSettings settings, CronWork work) {
    return keep(Cron.start(new Operation(operation), schedule, settings, idempotency, work));
  }

  private synchronized <C extends AutoCloseable> C keep(C running) {
    started.push(running);
    return running;
  }

  /**
   * Everything that operators see and do; changes are recorded under the name {@code application}.
   */
  public ControlCenter admin() {
    return admin("application");
  }

  /**
   * Everything that operators see and do; changes are recorded under this name.
   *
   * @param actor kept with every change
   */
  public ControlCenter admin(String actor) {
    return targets().as(actor);
  }

  /** The parts that a server or an alert watch in this process looks at. */
  public AdminTargets targets() {
    AdminTargets targets = AdminTargets.of(store());
    targets = engine.jobs().map(targets::withJobs).orElse(targets);
    targets = engine.outbox().map(Outbox::operations).map(targets::withOutbox).orElse(targets);
    return engine.inbox().map(Inbox::operations).map(targets::withInbox).orElse(targets);
  }

  /** Executions, for types that take them, such as a filter or a job processor. */
  public Idempotency idempotency() {
    return idempotency;
  }

  /** The store, for types that are made of one. Closing this closes it. */
  public Store store() {
    return engine.store();
  }

  /**
   * Stops the crons and processors that were started here, waits for their running work, writes the
   * last counts and events, and closes the engine. Does not wait for {@link OnceCall#runAsync}:
   * join its stages first, or their work is in doubt. Idempotent.
   */
  @Override
  public synchronized void close() {
    if (closed) {
      return;
    }
    closed = true;
    try {
      while (!started.isEmpty()) {
        end(started.pop());
      }
    } finally {
      failures.close();
      try {
        idempotency.close();
      } finally {
        engine.close();
      }
    }
  }

  private static void end(AutoCloseable running) {
    try {
      running.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
