package dev.semel.jdbc;

import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.ScratchFolder;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.ArgumentsProvider;
import org.junit.jupiter.params.support.ParameterDeclarations;

/** The SQL engines that keep the contracts: a new one is an entry in {@link #ALL}. */
final class SqlEngines implements ArgumentsProvider {
  private static final List<SqlEngine<?>> ALL =
      List.of(
          new SqlEngine<Path>(
              "SQLite",
              true,
              SqlEngines::folder,
              SqliteUnderTest::new,
              InboxFixture::on,
              OutboxFixture::of,
              JobsFixture::on),
          new SqlEngine<TestDatabase>(
              "PostgreSQL",
              false,
              SqlEngines::postgres,
              ServerUnderTest::of,
              InboxFixture::on,
              OutboxFixture::of,
              JobsFixture::on),
          new SqlEngine<MariaDbDatabase>(
              "MariaDB",
              false,
              context -> SharedServices.get(context, MariaDbService.class).freshDatabase(),
              ServerUnderTest::of,
              InboxFixture::on,
              OutboxFixture::of,
              JobsFixture::on));

  /** Whose inbox has a partition for the ids that are made now. */
  private static final SqlEngine<TestDatabase> PARTITIONED =
      new SqlEngine<>(
          "PostgreSQL with partitions",
          false,
          SqlEngines::postgres,
          ServerUnderTest::of,
          InboxFixture::partitioned,
          OutboxFixture::of,
          JobsFixture::on);

  /** What of {@link SqlEngine#embedded} a run of Maven is for; else all. */
  private static final String SERVICES = System.getProperty("semel.test.services", "all");

  /** An inbox's contracts run on it too. */
  static final class Partitioned implements ArgumentsProvider {
    @Override
    public Stream<Arguments> provideArguments(
        ParameterDeclarations parameters, ExtensionContext context) {
      return each(List.of(PARTITIONED), context);
    }
  }

  @Override
  public Stream<Arguments> provideArguments(
      ParameterDeclarations parameters, ExtensionContext context) {
    return each(ALL, context);
  }

  private static Stream<Arguments> each(List<SqlEngine<?>> engines, ExtensionContext context) {
    return engines.stream()
        .filter(engine -> !SERVICES.equals(engine.embedded() ? "only" : "none"))
        .map(engine -> Arguments.of(engine.underTest(context)));
  }

  private static TestDatabase postgres(ExtensionContext context) {
    return SharedServices.get(context, PostgresService.class).freshDatabase();
  }

  /** It goes with the class of tests. */
  private static Path folder(ExtensionContext context) {
    return context
        .getStore(ExtensionContext.Namespace.create(SqlEngines.class))
        .computeIfAbsent(
            ScratchFolder.class, type -> new ScratchFolder("sqlite"), ScratchFolder.class)
        .path("");
  }
}
