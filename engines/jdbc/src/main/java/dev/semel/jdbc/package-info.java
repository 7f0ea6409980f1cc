/**
 * Records in SQL: {@link dev.semel.jdbc.SqliteStore} in one file, {@link
 * dev.semel.jdbc.PostgresStore} and {@link dev.semel.jdbc.MariaDbStore} on a server, and {@link
 * dev.semel.jdbc.TransactionalIdempotency}, where the record and the work's writes commit together
 * or not at all. {@link dev.semel.jdbc.JdbcOutbox} does so for messages that are sent, {@link
 * dev.semel.jdbc.JdbcInbox} for messages that are received; {@link dev.semel.jdbc.JdbcJobs} is a
 * job queue.
 *
 * <p>Invariant: a statement that changes a record compares its token, so a lost race changes
 * nothing. A connection goes back to its source without an open or aborted transaction.
 *
 * <p>Start at a store. SQLite's SQL is in {@code SqliteRecords}; what the servers share is in
 * {@code ServerStore}, where they differ is in {@code SqlDialect}; tables are in {@code SqlSchema}.
 * The outbox differs only in {@code OutboxDialect}; the inbox begins at {@code
 * TransactionalConsumerInbox}, jobs at {@code JobDialect}. A new server needs a dialect, tables,
 * faults, and a way to begin a transaction.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
