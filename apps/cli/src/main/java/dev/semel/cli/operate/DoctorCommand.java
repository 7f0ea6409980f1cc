package dev.semel.cli.operate;

import dev.semel.StoreException;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.BrokerOption;
import dev.semel.cli.connect.BrokerUrls;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.StreamUrls;
import dev.semel.idempotency.Maintenance;
import dev.semel.idempotency.spi.Store;
import dev.semel.inbox.spi.InboxOperations;
import dev.semel.internal.DurationText;
import dev.semel.internal.PrintableText;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.outbox.RelaySettings;
import dev.semel.outbox.spi.OutboxOperations;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.Transport;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;

/** Checks everything, and writes no row. */
@CommandLine.Command(
    name = "doctor",
    header = "Say whether a store, its outbox, its inbox and a broker are well.",
    description = {
      "",
      "Each line is ok, a warning or a problem. Exit code 1 if one is not ok, 5 if a broker can't be"
          + " reached. No row is changed. Where SEMEL_URL names a server and the call names no store,"
          + " that server is looked at: TLS, tokens, quotas.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel doctor",
      "  SEMEL_URL=https://streams.example:4437 semel doctor",
      "  semel doctor --database postgresql://app@localhost/shop -o json",
      "  semel doctor --broker nats://localhost --destination orders",
      "  SEMEL_BROKER=amqps://app:secret@broker/shop semel doctor --destination orders"
    })
public final class DoctorCommand implements Callable<Integer> {
  /** A working relay sends within a second. */
  private static final Duration OLD = Duration.ofMinutes(5);

  private final SemelCommand semel;
  private final InstantSource clock = InstantSource.system();
  private final DoctorReport checkup = new DoctorReport();
  private boolean unreachable;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Mixin private final BrokerOption broker = new BrokerOption();

  public DoctorCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    String url = broker.url(semel.around());
    if (database.settings(semel).messages().isEmpty()) {
      try (Store store = database.examine(semel)) {
        look(store);
      } catch (StoreException e) {
        checkup.problem("store", String.valueOf(e.getMessage()));
      }
      streams();
    }
    ServerChecks.look(semel.around(), checkup);
    broker.destinations().forEach(destination -> broker(url, destination));
    checkup.lines(format).forEach(semel.console()::line);
    if (unreachable) {
      return ExitCode.UNREACHABLE;
    }
    return checkup.well() ? ExitCode.OK : ExitCode.FAILED;
  }

  private void look(Store store) {
    checkup.ok("store", store.describe());
    StoreChecks.latency(store, checkup);
    database.file(semel).ifPresent(file -> StoreChecks.disk("disk", file, checkup));
    boolean sql = DatabaseOption.isSql(store);
    store.setUp().forEach(sentence -> checkup.ok(sql ? "schema" : "engine", sentence));
    checkup.all("set-up", store.hazards(), "nothing is known that puts the promise at risk");
    skew(store);
    if (sql) {
      try (JdbcOutbox outbox = DatabaseOption.outbox(store);
          JdbcInbox inbox = DatabaseOption.inbox(store)) {
        outbox(outbox.operations().status());
        inbox(inbox.operations());
      }
    }
  }

  /**
   * Checks only the disk of streams in the data folder, because their server has the folder to
   * itself.
   */
  private void streams() {
    String streams = semel.settings().ownStreamsUrl();
    if (StreamUrls.scheme(streams).equals("journal")) {
      Path folder = StreamUrls.journalFolder(streams, semel.around().folder());
      if (Files.exists(folder)) {
        StoreChecks.disk("journal", folder, checkup);
      }
    }
  }

  private void broker(String url, String destination) {
    try (Transport transport = BrokerUrls.existing(url, destination)) {
      transport.setUp().forEach(sentence -> checkup.ok("broker", sentence));
      checkup.all(
          "broker",
          transport.hazards(RelaySettings.defaults().retrySpan()),
          "%s: nothing is known that puts %s at risk"
              .formatted(transport.describe(), PrintableText.quoted(destination)));
    } catch (NoSuchDestination e) {
      checkup.warn("broker", String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      unreachable = true;
      checkup.warn("broker", String.valueOf(e.getMessage()));
    }
  }

  /** Allows for the time of the call, which is no skew. */
  private void skew(Store store) {
    Instant before = clock.instant();
    Instant there = store.now();
    Duration trip = Duration.between(before, clock.instant());
    Duration ahead = Duration.between(there, before.plus(trip.dividedBy(2)));
    String text =
        "this machine is %d ms %s the store"
            .formatted(ahead.abs().toMillis(), ahead.isNegative() ? "behind" : "ahead of");
    if (ahead.abs().compareTo(Maintenance.MAX_SKEW.plus(trip)) > 0) {
      checkup.warn("clock", text + ": let both follow the same time server");
    } else {
      checkup.ok("clock", text);
    }
  }

  private void outbox(OutboxOperations.Status status) {
    List<String> findings = new ArrayList<>();
    status
        .oldest()
        .filter(age -> age.compareTo(OLD) > 0)
        .ifPresent(
            age ->
                findings.add(
                    "the oldest message has waited for %s: see why with semel outbox list"
                        .formatted(DurationText.brief(age))));
    if (status.pending() > 0 && status.relays().isEmpty()) {
      findings.add("%,d wait and no relay is running: start one".formatted(status.pending()));
    }
    if (status.dead() > 0) {
      findings.add(
          "%,d could not be sent: see semel outbox list --state dead, then retry or purge them"
              .formatted(status.dead()));
    }
    checkup.all(
        "outbox",
        findings,
        "%,d wait, %d relays".formatted(status.pending(), status.relays().size()));
  }

  private void inbox(InboxOperations inbox) {
    InboxOperations.Status status = inbox.status();
    long ids = status.consumers().stream().mapToLong(each -> each.ids()).sum();
    checkup.all(
        "inbox",
        inbox.diagnose(),
        "%,d ids of %d consumers, %,d bytes"
            .formatted(ids, status.consumers().size(), status.bytes()));
  }
}
