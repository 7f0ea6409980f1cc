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

/** The SQL engines that run the contracts: a new one is an entry in {@link #ALL}. */
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

  /** An inbox with a partition for the current ids. */
  private static final SqlEngine<TestDatabase> PARTITIONED =
      new SqlEngine<>(
          "PostgreSQL with partitions",
          false,
          SqlEngines::postgres,
          ServerUnderTest::of,
          InboxFixture::partitioned,
          OutboxFixture::of,
          JobsFixture::on);

  /** The {@link SqlEngine#embedded} engines, the others, or all: chosen by Maven's run. */
  private static final String SERVICES = System.getProperty("semel.test.services", "all");

  /** Adds the partitioned inbox to the engines of the inbox's contracts. */
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

  /** A folder that is deleted after the test class. */
  private static Path folder(ExtensionContext context) {
    return context
        .getStore(ExtensionContext.Namespace.create(SqlEngines.class))
        .computeIfAbsent(
            ScratchFolder.class, type -> new ScratchFolder("sqlite"), ScratchFolder.class)
        .path("");
  }
}
