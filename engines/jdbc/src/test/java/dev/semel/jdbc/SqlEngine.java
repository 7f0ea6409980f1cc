package dev.semel.jdbc;

import dev.semel.tck.StoreUnderTest;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Provides the contracts' subjects on one engine.
 *
 * @param <D> the type of one database
 * @param embedded whether the engine needs no server
 * @param fresh creates an empty database
 */
record SqlEngine<D>(
    String name,
    boolean embedded,
    Function<ExtensionContext, D> fresh,
    Opening<D, StoreUnderTest> store,
    Opening<D, InboxFixture> inbox,
    Opening<D, OutboxFixture> outbox,
    Opening<D, JobsFixture> jobs) {

  /** Opens something in a database. */
  @FunctionalInterface
  interface Opening<D, T> {
    T in(D database) throws SQLException;
  }

  SqlUnderTest underTest(ExtensionContext context) {
    D database = fresh.apply(context);
    return new SqlUnderTest(
        name,
        () -> store.in(database),
        () -> inbox.in(database),
        () -> outbox.in(database),
        () -> jobs.in(database));
  }
}
