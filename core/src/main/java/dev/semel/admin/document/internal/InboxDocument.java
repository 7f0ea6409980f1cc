package dev.semel.admin.document.internal;

import static dev.semel.admin.document.internal.DocumentSchema.integer;
import static dev.semel.admin.document.internal.DocumentSchema.objects;
import static dev.semel.admin.document.internal.DocumentSchema.text;
import static dev.semel.admin.document.internal.DocumentSchema.texts;
import static dev.semel.admin.document.internal.DocumentSchema.time;

import dev.semel.inbox.spi.InboxOperations.ConsumerStatus;
import dev.semel.inbox.spi.InboxOperations.Entry;
import dev.semel.inbox.spi.InboxOperations.Page;
import dev.semel.inbox.spi.InboxOperations.State;
import dev.semel.inbox.spi.InboxOperations.Status;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue;
import java.util.List;

/** The JSON form of an inbox and its messages. */
public final class InboxDocument {
  static final DocumentSchema SCHEMA =
      DocumentSchema.of(
          "Inbox",
          integer("bytes"),
          objects(
              "consumers",
              DocumentSchema.of(
                  "InboxConsumer",
                  text("consumer"),
                  integer("ids"),
                  integer("pending"),
                  integer("failing"),
                  integer("dead"),
                  integer("in_doubt"),
                  time("first_seen").optional(),
                  integer("oldest_ms").optional())),
          texts("says"));

  private InboxDocument() {}

  /**
   * The inbox's status.
   *
   * @param says problems of its tables, a sentence each
   */
  public static JsonObjectBuilder json(Status status, List<String> says) {
    return Json.object()
        .with("bytes", status.bytes())
        .with("consumers", status.consumers().stream().map(each -> json(each).build()).toList())
        .with("says", says.stream().map(JsonValue::of).toList());
  }

  private static JsonObjectBuilder json(ConsumerStatus each) {
    JsonObjectBuilder members =
        Json.object()
            .with("consumer", each.consumer())
            .with("ids", each.ids())
            .with("pending", each.pending())
            .with("failing", each.failing())
            .with("dead", each.dead())
            .with("in_doubt", each.inDoubt());
    each.firstSeen().ifPresent(time -> members.with("first_seen", time.toString()));
    each.oldest().ifPresent(age -> members.with("oldest_ms", age.toMillis()));
    return members;
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
    return new Status(from.items("consumers", InboxDocument::readConsumer), from.number("bytes"));
  }

  private static ConsumerStatus readConsumer(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new ConsumerStatus(
        from.text("consumer"),
        from.number("ids"),
        from.findTime("first_seen"),
        from.number("in_doubt"),
        from.number("pending"),
        from.number("failing"),
        from.number("dead"),
        from.findMillis("oldest_ms"));
  }

  public static Page readPage(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Page(from.items("messages", InboxDocument::read), from.textOrEmpty("next"));
  }

  private static Entry read(JsonValue value) {
    MemberReader from = MemberReader.of(value);
    return new Entry(
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
