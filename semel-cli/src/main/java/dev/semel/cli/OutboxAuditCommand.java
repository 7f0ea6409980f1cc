package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.Printable;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for business rows that nobody was told of. */
@CommandLine.Command(
    name = "audit",
    header = "List the ids of messages that should be there and are not.",
    description = {
      "",
      "The query selects in one column the ids that the messages of your rows have; those that"
          + " are neither waiting, dead nor kept as published are listed. Exit code 1 if there"
          + " are any. It runs read-only.",
      ""
    },
    footer = {
      "",
      "Example:",
      "  semel outbox audit --query \"SELECT message_id FROM orders WHERE created_at > now() -"
          + " interval '1 day'\""
    })
final class OutboxAuditCommand implements Callable<Integer> {
  private final Semel semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(names = "--query", paramLabel = "SQL", required = true, description = "See above.")
  private @Nullable String query;

  OutboxAuditCommand(Semel semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    Format format = semel.settings().output();
    String select = withoutEnd(Semel.given(query));
    List<String> missing = database.withTables(semel, outbox -> outbox.audit(select));
    if (format == Format.JSON) {
      List<JsonValue> ids = missing.stream().<JsonValue>map(JsonValue.JsonString::new).toList();
      semel.console().line(Json.object().with("missing", ids).write());
    } else if (format == Format.JSONL) {
      missing.forEach(id -> semel.console().line(Json.object().with("missing", id).write()));
    } else {
      missing.forEach(id -> semel.console().line(Printable.safe(id)));
    }
    semel.console().note(missing.isEmpty() ? "nothing is missing" : missing.size() + " missing");
    return missing.isEmpty() ? Exit.OK : Exit.FAILED;
  }

  /** A shell for SQL wants a semicolon, and ours becomes part of another statement. */
  private static String withoutEnd(String query) {
    String select = query.strip();
    while (select.endsWith(";")) {
      select = select.substring(0, select.length() - 1).strip();
    }
    if (select.isEmpty()) {
      throw new InvalidInput(
          "the query is empty: select the ids that the messages of your rows should have");
    }
    return select;
  }
}
