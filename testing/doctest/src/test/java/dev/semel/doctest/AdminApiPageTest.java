package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.admin.document.internal.ActionParameter;
import dev.semel.admin.document.internal.AdminAction;
import dev.semel.admin.document.internal.DocumentSchema;
import dev.semel.admin.document.internal.ExportTable;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Every action of the admin API, what it takes and what it answers. */
class AdminApiPageTest {
  private static final Path PAGE = Book.DOCS.resolve("reference/admin-api.md");

  @Test
  void theTableHasEveryAction() {
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("", "right", "what", "parameters", "answer"));
    table.append(Generated.row("---", "---", "---", "---", "---"));
    for (AdminAction action : AdminAction.values()) {
      boolean destroys = action.effect() == AdminAction.Effect.DESTROYS;
      table.append(
          Generated.row(
              "`" + action.method() + " " + action.path() + "`",
              (action.needsAdmin() ? "admin" : "read") + (destroys ? ", **destroys**" : ""),
              action.summary(),
              action.parameters().stream()
                  .map(AdminApiPageTest::parameter)
                  .collect(Collectors.joining(", ")),
              action.answer().name()));
    }
    Generated.part(PAGE, "actions", table.toString());
  }

  private static String parameter(ActionParameter each) {
    String otherwise = each.value().otherwise();
    return "`"
        + each.name()
        + (each.required() ? "!" : "")
        + (otherwise.isEmpty() ? "" : "=" + otherwise)
        + "`";
  }

  @Test
  void everyAnswerHasItsMembers() {
    Map<String, DocumentSchema> all = new TreeMap<>();
    for (AdminAction action : AdminAction.values()) {
      collect(action.answer(), all);
    }
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("document", "members"));
    table.append(Generated.row("---", "---"));
    all.values()
        .forEach(
            each ->
                table.append(
                    Generated.row(
                        each.name(),
                        each.members().stream()
                                .map(AdminApiPageTest::member)
                                .collect(Collectors.joining(", "))
                            + (each.more() ? " …" : ""))));
    Generated.part(PAGE, "answers", table.toString());
  }

  private static void collect(DocumentSchema schema, Map<String, DocumentSchema> all) {
    DocumentSchema before = all.put(schema.name(), schema);
    assertThat(before == null || before.equals(schema)).as(schema.name()).isTrue();
    schema.members().forEach(member -> member.of().ifPresent(below -> collect(below, all)));
  }

  private static String member(DocumentSchema.Member each) {
    String kind =
        switch (each.kind()) {
          case OBJECT -> ": " + each.of().orElseThrow().name();
          case OBJECTS -> ": " + each.of().orElseThrow().name() + "[]";
          case TEXTS -> "[]";
          case MAP -> "{}";
          case TEXT, TIME, INTEGER, NUMBER, TRUTH -> "";
        };
    return switch (each.presence()) {
      case ALWAYS -> "`" + each.name() + "`" + kind;
      case OPTIONAL -> "`" + each.name() + "?`" + kind;
      case NULLABLE -> "`" + each.name() + "|null`" + kind;
    };
  }

  @Test
  void everyExportHasItsColumns() {
    StringBuilder table = new StringBuilder();
    table.append(Generated.row("export", "columns"));
    table.append(Generated.row("---", "---"));
    for (ExportTable each : ExportTable.values()) {
      table.append(
          Generated.row(
              "`" + each.name().toLowerCase(Locale.ROOT) + "`",
              each.columns().stream().map(c -> "`" + c + "`").collect(Collectors.joining(", "))));
    }
    Generated.part(PAGE, "csv", table.toString());
  }

  /** The page that says how and what for has every one of them too. */
  @Test
  void everyActionIsExplained() {
    String page = Book.text(Book.DOCS.resolve("admin-api.md"));
    for (AdminAction action : AdminAction.values()) {
      if (action != AdminAction.OPENAPI) {
        assertThat(page).contains("`" + action.method() + " " + action.path() + "`");
      }
    }
    assertThat(page).contains(AdminAction.ROOT + AdminAction.OPENAPI.path());
  }
}
