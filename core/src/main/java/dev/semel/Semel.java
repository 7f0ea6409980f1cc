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
 * The front door: opens an engine by its URL, and hands out everything that works on it.
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
 * <p>Safe for many threads; one for a process is enough. Those who wire by hand, with a {@code
 * DataSource} of their own for example, build the same from {@link Idempotency}, {@link Jobs} and
 * the engines' types.
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
   *     message says which to add
   * @throws StoreException the engine can't be reached or used
   */
  public static Semel open(String url) {
    return builder(url).open();
  }

  /** Opens with settings, by {@link Builder#open}. */
  public static Builder builder(String url) {
    return new Builder(url);
  }

  /** What else there is to say before it is opened. */
  public static final class Builder {
    private final String url;
    private SemelListener listener = SemelListener.NONE;
    private Optional<Path> journals = Optional.empty();
    private EngineOptions options = EngineOptions.defaults();

    private Builder(String url) {
      this.url = url;
    }

    /** Hears of every decision of this process, beside the store's event log. */
    public Builder listener(SemelListener value) {
      listener = value;
      return this;
    }

    /**
     * Where operations that go on while the store is away write down what ran; many processes may
     * share the folder. See {@link dev.semel.idempotency.OnOutage#WARN_AND_CONTINUE}.
     */
    public Builder journals(Path folder) {
      journals = Optional.of(folder);
      return this;
    }

    /** For engines without a clock of their own: memory and SQLite. */
    public Builder clock(InstantSource value) {
      options = options.withClock(value);
      return this;
    }

    /** Where relative paths of files begin; the working directory unless said otherwise. */
    public Builder folder(Path value) {
      options = options.withFolder(value);
      return this;
    }

    /** False: missing tables are refused instead of created. */
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

  /** An operation that is to happen once under this id. */
  public OnceCall<String> once(String operation, String id) {
    return once(Key.of(operation, id));
  }

  /** An operation that is to happen once under this key, which may name a tenant. */
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

  /** Reserves a key for callers that can't wrap a function; the rest is {@link #reservations}. */
  public ClaimResult reserve(String operation, String id) {
    return reservations().reserve(Key.of(operation, id));
  }

  /** Reserve, confirm, release, renew. */
  public Reservations reservations() {
    return idempotency.reservations();
  }

  /**
   * Steps of which the next may start only after the last one ended, for work that throws checked
   * exceptions. {@link OnceCall#inSequence} is shorter for the rest.
   */
  public Sequence sequence() {
    return idempotency.sequence();
  }

  /** Messages that leave with a transaction of this database. */
  public Outbox outbox() {
    return engine.outbox().orElseThrow(() -> lacks("outbox"));
  }

  /** Messages that take effect with a transaction of this database. */
  public Inbox inbox() {
    return engine.inbox().orElseThrow(() -> lacks("inbox"));
  }

  /** Puts jobs into queues. */
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

  /** Handles the jobs of a queue from now on, until it is closed or this is. */
  public ExactlyOnceProcessor handleJobs(String queue, JobHandler handler) {
    return handleJobs(queue, ProcessorSettings.defaults(), handler);
  }

  /** Handles the jobs of a queue with settings, until it is closed or this is. */
  public ExactlyOnceProcessor handleJobs(
      String queue, ProcessorSettings settings, JobHandler handler) {
    return keep(
        ExactlyOnceProcessor.start(jobs(), idempotency, new Operation(queue), handler, settings));
  }

  /**
   * Does the work at each slot of a schedule, in one process of all that start this cron, until it
   * is closed or this is.
   *
   * @param schedule such as {@code CronSchedule.parse("0 3 * * *", ZoneId.of("Europe/Berlin"))}
   */
  public Cron cron(String operation, CronSchedule schedule, CronWork work) {
    return cron(operation, schedule, CronSettings.defaults(), work);
  }

  /** Does the work at each slot of a schedule with settings, until it is closed or this is. */
  public Cron cron(String operation, CronSchedule schedule, CronSettings settings, CronWork work) {
    return keep(Cron.start(new Operation(operation), schedule, settings, idempotency, work));
  }

  private synchronized <C extends AutoCloseable> C keep(C running) {
    started.push(running);
    return running;
  }

  /** All that operators see and do, in the name of {@code application}. */
  public ControlCenter admin() {
    return admin("application");
  }

  /**
   * All that operators see and do, in the name of this actor.
   *
   * @param actor kept with every change
   */
  public ControlCenter admin(String actor) {
    return targets().as(actor);
  }

  /** What a server or an alert watch in this process looks at. */
  public AdminTargets targets() {
    AdminTargets targets = AdminTargets.of(store());
    targets = engine.jobs().map(targets::withJobs).orElse(targets);
    targets = engine.outbox().map(Outbox::operations).map(targets::withOutbox).orElse(targets);
    return engine.inbox().map(Inbox::operations).map(targets::withInbox).orElse(targets);
  }

  /** Executions themselves, for what takes them, such as a filter or a processor of jobs. */
  public Idempotency idempotency() {
    return idempotency;
  }

  /** The records themselves, for types that are made of a store. Closed with this. */
  public Store store() {
    return engine.store();
  }

  /**
   * Ends the crons and processors that were started here, waits for what they are at, hands over
   * the last counts and events, and closes the engine. Does not wait for {@link OnceCall#runAsync}:
   * join its stages before, or what they did is in doubt. Idempotent.
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
