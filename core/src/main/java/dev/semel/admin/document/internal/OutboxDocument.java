package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.number;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;

import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import dev.semel.outbox.RelayCounts;
import dev.semel.outbox.spi.OutboxOperations.DestinationStatus;
import dev.semel.outbox.spi.OutboxOperations.Entry;
import dev.semel.outbox.spi.OutboxOperations.Page;
import dev.semel.outbox.spi.OutboxOperations.RelayStatus;
import dev.semel.outbox.spi.OutboxOperations.State;
import dev.semel.outbox.spi.OutboxOperations.Status;

/** The JSON form of an outbox and its messages. */
public final class OutboxDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Outbox",
          integer("pending"),
          integer("failing"),
          integer("in_flight"),
          integer("dead"),
          integer("kept"),
          integer("oldest_ms").optional(),
          objects(
              "destinations",
              DocumentSchema.of(
                  "OutboxDestination",
                  text("destination"),
                  integer("pending"),
                  integer("dead"),
                  integer("oldest_ms").optional())),
          objects(
              "relays",
              DocumentSchema.of(
                  "Relay",
                  text("relay"),
                  integer("partitions"),
                  integer("published"),
                  integer("duplicates"),
                  integer("failed"),
                  integer("dead"),
                  integer("in_flight"),
                  number("per_second"),
                  integer("last_seen_ms"))));

  /** Stands for the place, which a listing over HTTP does not have. */
  private static final long NO_PLACE = 0;

  private OutboxDocument() {}

  public static JsonObjectBuilder json(Status status) {
    long inFlight = status.relays().stream().mapToLong(relay -> relay.counts().inFlight()).sum();
    JsonObjectBuilder members =
        Json.object()
            .with("pending", status.pending())
            .with("failing", status.failing())
            .with("in_flight", inFlight)
            .with("dead", status.dead())
            .with("kept", status.kept());
    status.oldest().ifPresent(age -> members.with("oldest_ms", age.toMillis()));
    return members
        .with(
            "destinations",
            status.destinations().stream().map(OutboxDocument::destination).toList())
        .with("relays", status.relays().stream().map(OutboxDocument::relay).toList());
  }

  private static JsonValue destination(DestinationStatus each) {
    JsonObjectBuilder members =
        Json.object()
            .with("destination", each.destination())
            .with("pending", each.pending())
            .with("dead", each.dead());
    each.oldest().ifPresent(age -> members.with("oldest_ms", age.toMillis()));
    return members.build();
  }

  private static JsonValue relay(RelayStatus each) {
    return Json.object()
        .with("relay", each.relay())
        .with("partitions", each.partitions())
        .with("published", each.counts().published())
        .with("duplicates", each.counts().duplicates())
        .with("failed", each.counts().failed())
        .with("dead", each.counts().dead())
        .with("in_flight", each.counts().inFlight())
        .with("per_second", each.perSecond())
        .with("last_seen_ms", each.lastSeen().toMillis())
        .build();
  }

  public static JsonObjectBuilder json(Page page) {
    return ListingDocument.json(
        "messages",
        page.entries().stream().map(each -> json(each).build()).toList(),
        page.cursor());
  }

  public static JsonObjectBuilder json(Entry each) {
    return Json.object()
        .with("id", each.id())
        .with("state", PrintableText.word(each.state()))
        .with("destination", each.destination())
        .with("ordering_key", each.orderingKey())
        .with("type", each.type())
        .with("payload_bytes", each.payloadBytes())
        .with("attempts", each.attempts())
        .with("since", each.since().toString())
        .with("reason", each.reason());
  }

  public static Status readStatus(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Status(
        from.number("pending"),
        from.number("failing"),
        from.number("dead"),
        from.number("kept"),
        from.findMillis("oldest_ms"),
        from.items("destinations", OutboxDocument::readDestination),
        from.items("relays", OutboxDocument::readRelay));
  }

  private static DestinationStatus readDestination(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new DestinationStatus(
        from.text("destination"),
        from.number("pending"),
        from.number("dead"),
        from.findMillis("oldest_ms"));
  }

  private static RelayStatus readRelay(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new RelayStatus(
        from.text("relay"),
        from.integer("partitions"),
        new RelayCounts(
            from.number("published"),
            from.number("duplicates"),
            from.number("failed"),
            from.number("dead"),
            from.integer("in_flight")),
        from.fraction("per_second"),
        from.millis("last_seen_ms"));
  }

  public static Page readPage(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Page(from.items("messages", OutboxDocument::read), from.textOrEmpty("next"));
  }

  private static Entry read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Entry(
        NO_PLACE,
        from.choice("state", State.class),
        from.text("id"),
        from.text("destination"),
        from.text("ordering_key"),
        from.text("type"),
        from.integer("payload_bytes"),
        from.integer("attempts"),
        from.time("since"),
        from.text("reason"));
  }
}
