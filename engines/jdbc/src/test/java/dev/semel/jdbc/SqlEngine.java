package dev.semel.jdbc;

import dev.semel.tck.StoreUnderTest;
import java.sql.SQLException;
import java.util.function.Function;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * How the contracts get what they test on one engine.
 *
 * @param <D> one database of it
 * @param embedded whether it needs no server
 * @param fresh makes a database that is empty
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
