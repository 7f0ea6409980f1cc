package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.alert.AlertRule;
import dev.semel.jdbc.MariaDbStore;
import dev.semel.jdbc.PostgresStore;
import dev.semel.jdbc.SqliteStore;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Names that others see, in databases, on the wire and in alerts, are on their pages, and no
 * others.
 */
class NamesTest {
  private static final Pattern TABLE =
      Pattern.compile("CREATE TABLE (?:IF NOT EXISTS )?(semel_\\w+)");
  private static final Pattern KEY = Pattern.compile("\"((?:i9y:|semel:|\\}:|:)[^\"\\s]*)\"");
  private static final Pattern CAPITAL =
      Pattern.compile("\"([A-Z][A-Za-z0-9]*(?:-[A-Z][A-Za-z0-9]*)+)\"");
  private static final Pattern SMALL =
      Pattern.compile(
          "String (?!(?:LOOP|THREAD|JDBC|REDIS) )[A-Z_]+ = \"(semel-[a-z-]+|traceparent)\"");
  private static final Pattern ROW = Pattern.compile("\n\\| `([^`]+)` \\|");

  /** Of HTTP itself: they mean what they mean everywhere. */
  private static final Pattern OF_HTTP =
      Pattern.compile(
          "Access-Control-.*|Cache-Control|Content-.*|Cross-Origin-.*|Last-Modified|Referrer-Policy"
              + "|Transfer-Encoding|WWW-Authenticate|X-Content-Type-Options|X-Forwarded-.*");

  private static Set<String> rows(String page) {
    Set<String> names = new TreeSet<>();
    ROW.matcher(Book.page(page).text()).results().forEach(found -> names.add(found.group(1)));
    return names;
  }

  private static Set<String> found(Pattern pattern, Stream<String> sources) {
    Set<String> names = new TreeSet<>();
    sources.forEach(
        source -> pattern.matcher(source).results().forEach(found -> names.add(found.group(1))));
    return names;
  }

  @Test
  void tablesAreOnTheirPageWithTheirStatements() {
    String ddl = PostgresStore.ddl();
    Set<String> tables = found(TABLE, Stream.of(ddl, MariaDbStore.ddl(), SqliteStore.ddl()));
    tables.add("semel_inbox_partitioning");
    assertThat(rows("docs/reference/tables.md")).isEqualTo(tables);
    Generated.part(
        Book.DOCS.resolve("reference/tables.md"), "postgresql", "```sql\n" + ddl.strip() + "\n```");
  }

  @Test
  void keysInRedisAreOnTheirPage() {
    String page = Book.text(Book.DOCS.resolve("reference/redis-keys.md"));
    Set<String> parts = found(KEY, Book.sources("semel-redis").stream());
    parts.removeIf(part -> part.matches("[:}/]+"));
    assertThat(parts).contains("i9y:{", "semel:j:", ":ids-earlier");
    // A suffix stands behind the hash tag, or by itself beside another.
    assertThat(parts)
        .allMatch(
            part ->
                part.startsWith(":")
                    ? page.contains("}" + part) || page.contains("`" + part + "`")
                    : page.contains(part));
  }

  @Test
  void headersAreOnTheirPage() {
    Set<String> used = new TreeSet<>();
    for (String module :
        List.of("core", "server", "servlet", "nats", "kafka", "rabbitmq", "redis")) {
      List<String> sources = Book.sources("semel-" + module);
      used.addAll(found(CAPITAL, sources.stream()));
      used.addAll(found(SMALL, sources.stream()));
    }
    used.removeIf(name -> OF_HTTP.matcher(name).matches());
    assertThat(rows("docs/reference/headers.md")).isEqualTo(used);
  }

  @Test
  void everyAlertHasARunbookAndEveryRunbookAnAlert() throws Exception {
    String index = Book.text(Book.DOCS.resolve("alerts.md"));
    Set<String> words = new TreeSet<>();
    for (AlertRule rule : AlertRule.values()) {
      words.add(rule.word() + ".md");
      Path page = Book.ROOT.resolve(rule.runbook());
      assertThat(page).exists();
      assertThat(Book.text(page)).contains("**Symptom**", "**Cause**", "**Remedy**");
      assertThat(index).contains("runbooks/" + rule.word() + ".md");
    }
    try (Stream<Path> pages = Files.list(Book.DOCS.resolve("runbooks"))) {
      assertThat(pages.map(page -> page.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(words);
    }
  }
}
