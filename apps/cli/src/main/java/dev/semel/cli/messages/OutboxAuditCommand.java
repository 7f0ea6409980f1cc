package dev.semel.cli.messages;

import dev.semel.InvalidInput;
import dev.semel.cli.ExitCode;
import dev.semel.cli.OutputFormat;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** Looks for business rows without a message. */
@CommandLine.Command(
    name = "audit",
    header = "List the ids of messages that should be there and are not.",
    description = {
      "",
      "The query selects in one column the ids that the messages of your rows have; those that"
          + " are neither waiting, dead nor kept as published are listed. Exit code 1 if there"
          + " are any. It runs read-only. Where messages got their ids from names, as withIdOf"
          + " does, select the names and add --named.",
      ""
    },
    footer = {
      "",
      "Examples:",
      "  semel outbox audit --query \"SELECT message_id FROM orders WHERE created_at > now() -"
          + " interval '1 day'\"",
      "  semel outbox audit --named --query \"SELECT 'order-' || id || '-v1' FROM orders\""
    })
final class OutboxAuditCommand implements Callable<Integer> {
  /** A UUID, or the hash of a content. */
  private static final Pattern MADE =
      Pattern.compile(
          "[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}|[0-9a-f]{64}", Pattern.CASE_INSENSITIVE);

  private final SemelCommand semel;
  @Mixin private final DatabaseOption database = new DatabaseOption();

  @Option(names = "--query", paramLabel = "SQL", required = true, description = "See above.")
  private @Nullable String query;

  @Option(
      names = "--named",
      description =
          "The query selects the names that ids were made of (withIdOf); those are listed.")
  private boolean named;

  OutboxAuditCommand(SemelCommand semel) {
    this.semel = semel;
  }

  @Override
  public Integer call() {
    OutputFormat format = semel.settings().output();
    String select = withoutEnd(SemelCommand.given(query));
    List<String> missing =
        database.withTables(
            semel, outbox -> named ? outbox.auditNamed(select) : outbox.audit(select));
    if (format == OutputFormat.JSON) {
      List<JsonValue> ids = missing.stream().<JsonValue>map(JsonValue.JsonString::new).toList();
      semel.console().line(Json.object().with("missing", ids).write());
    } else if (format == OutputFormat.JSONL) {
      missing.forEach(id -> semel.console().line(Json.object().with("missing", id).write()));
    } else {
      missing.forEach(id -> semel.console().line(PrintableText.safe(id)));
    }
    long names = named ? 0 : missing.stream().filter(OutboxAuditCommand::mayBeName).count();
    if (names > 0) {
      semel
          .console()
          .note(
              "%,d of them do not look like ids that Semel makes: if messages got their ids from these names (withIdOf), add --named"
                  .formatted(names));
    }
    semel.console().note(missing.isEmpty() ? "nothing is missing" : missing.size() + " missing");
    return missing.isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private static boolean mayBeName(String id) {
    return !MADE.matcher(id).matches();
  }

  /**
   * Removes the semicolon that an SQL shell wants, because ours becomes part of another statement.
   */
  static String withoutEnd(String query) {
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
