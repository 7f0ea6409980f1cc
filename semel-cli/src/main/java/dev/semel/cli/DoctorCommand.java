package dev.semel.cli;

import dev.semel.DurationText;
import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.StoreException;
import dev.semel.idempotency.Store;
import dev.semel.idempotency.Upkeep;
import dev.semel.inbox.InboxOperations;
import dev.semel.jdbc.JdbcInbox;
import dev.semel.jdbc.JdbcOutbox;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.outbox.OutboxOperations;
import dev.semel.outbox.RelaySettings;
import dev.semel.transport.NoSuchDestination;
import dev.semel.transport.Transport;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks at everything that can be looked at, and writes no row. */
@CommandLine.Command(
    name = "doctor",
    header = "Say whether a store, its outbox, its inbox and a broker are well.",
    description = {
      "",
      "Exit code 1 if something should be looked at, 5 if a broker can't be reached. No row is",
      "changed.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel doctor",
      "  semel doctor --database postgresql://app@localhost/shop -o json",
      "  semel doctor --broker nats://localhost --destination orders",
      "  SEMEL_BROKER=amqps://app:secret@broker/shop semel doctor --destination orders"
    })
final class DoctorCommand implements Callable<Integer> {
  /** A relay that works sends within a second. */
  private static final Duration OLD = Duration.ofMinutes(5);

  /** Keeps a password off the command line, where others can see it. */
  private static final String BROKER = "SEMEL_BROKER";

  private final Semel semel;
  private final InstantSource clock = InstantSource.system();
  private final List<Check> checks = new ArrayList<>();
  private boolean unreachable;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(
      names = "--broker",
      paramLabel = "URL",
      description =
          "A broker to look at too: nats://, kafka://, amqp://, rabbitmq-stream://, redis:// or"
              + " redis-cluster:// (SEMEL_BROKER).")
  private @Nullable String broker;

  @Option(
      names = "--destination",
      paramLabel = "NAME",
      description = "Where messages are sent there; may be given more than once.")
  private List<String> destinations = List.of();

  DoctorCommand(Semel semel) {
    this.semel = semel;
  }

  /** What was looked at, and what was seen. */
  private record Check(String about, boolean ok, String text) {
    JsonObject json() {
      return Json.object().with("check", about).with("ok", ok).with("text", text).build();
    }

    String mark() {
      return ok ? "ok" : "warning";
    }
  }

  @Override
  public Integer call() {
    Format format = semel.settings().output();
    String url = brokerUrl();
    try (Store store = database.examine(semel)) {
      look(store);
    } catch (StoreException e) {
      warn("store", String.valueOf(e.getMessage()));
    }
    destinations.forEach(destination -> broker(url, destination));
    boolean well = checks.stream().allMatch(Check::ok);
    print(format, well);
    if (unreachable) {
      return Exit.UNREACHABLE;
    }
    return well ? Exit.OK : Exit.FAILED;
  }

  private void look(Store store) {
    ok("store", store.describe());
    boolean sql = DatabaseOption.isSql(store);
    if (sql) {
      ok("schema", "the tables are of this version");
    }
    all("set-up", store.hazards(), "nothing is known that puts the promise at risk");
    skew(store);
    if (sql) {
      try (JdbcOutbox outbox = DatabaseOption.outbox(store);
          JdbcInbox inbox = DatabaseOption.inbox(store)) {
        outbox(outbox.operations().status());
        inbox(inbox.operations());
      }
    }
  }

  /** The variable alone asks for nothing: it is there for all commands of a shell. */
  private String brokerUrl() {
    String url = broker == null ? semel.around().variable(BROKER) : broker;
    if (destinations.isEmpty() ? broker != null : url.isEmpty()) {
      throw new InvalidInput(
          "a broker is looked at by its destinations: give --broker (or %s) and --destination together"
              .formatted(BROKER));
    }
    return url;
  }

  private void broker(String url, String destination) {
    try (Transport transport = Brokers.existing(url, destination)) {
      all(
          "broker",
          transport.hazards(RelaySettings.defaults().retrySpan()),
          "%s: nothing is known that puts %s at risk"
              .formatted(transport.describe(), Printable.quoted(destination)));
    } catch (NoSuchDestination e) {
      warn("broker", String.valueOf(e.getMessage()));
    } catch (StoreException e) {
      unreachable = true;
      warn("broker", String.valueOf(e.getMessage()));
    }
  }

  /** The way to the store and back takes its time, and is no skew. */
  private void skew(Store store) {
    Instant before = clock.instant();
    Instant there = store.now();
    Duration trip = Duration.between(before, clock.instant());
    Duration ahead = Duration.between(there, before.plus(trip.dividedBy(2)));
    String text =
        "this machine is %d ms %s the store"
            .formatted(ahead.abs().toMillis(), ahead.isNegative() ? "behind" : "ahead of");
    if (ahead.abs().compareTo(Upkeep.MAX_SKEW.plus(trip)) > 0) {
      warn("clock", text + ": let both follow the same time server");
    } else {
      ok("clock", text);
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
    all(
        "outbox",
        findings,
        "%,d wait, %d relays".formatted(status.pending(), status.relays().size()));
  }

  private void inbox(InboxOperations inbox) {
    InboxOperations.Status status = inbox.status();
    long ids = status.consumers().stream().mapToLong(each -> each.ids()).sum();
    all(
        "inbox",
        inbox.diagnose(),
        "%,d ids of %d consumers, %,d bytes"
            .formatted(ids, status.consumers().size(), status.bytes()));
  }

  private void all(String about, List<String> findings, String fine) {
    findings.forEach(finding -> warn(about, finding));
    if (findings.isEmpty()) {
      ok(about, fine);
    }
  }

  private void ok(String about, String text) {
    checks.add(new Check(about, true, text));
  }

  private void warn(String about, String text) {
    checks.add(new Check(about, false, text));
  }

  private void print(Format format, boolean well) {
    switch (format) {
      case TABLE ->
          checks.forEach(
              each ->
                  semel
                      .console()
                      .line(
                          "%-8s %-7s %s"
                              .formatted(each.mark(), each.about(), Printable.safe(each.text()))));
      case PLAIN ->
          checks.forEach(
              each ->
                  semel
                      .console()
                      .line(
                          String.join(
                              "\t", each.mark(), each.about(), Printable.safe(each.text()))));
      case JSON ->
          semel
              .console()
              .line(
                  Json.object()
                      .with("ok", well)
                      .with("checks", checks.stream().map(Check::json).toList())
                      .write());
      case JSONL -> checks.forEach(each -> semel.console().line(Json.write(each.json())));
    }
  }
}
