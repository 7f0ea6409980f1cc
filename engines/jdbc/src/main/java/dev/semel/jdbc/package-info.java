/**
 * Records in SQL: {@link dev.semel.jdbc.SqliteStore} in one file, {@link
 * dev.semel.jdbc.PostgresStore} and {@link dev.semel.jdbc.MariaDbStore} on a server, and {@link
 * dev.semel.jdbc.TransactionalIdempotency}, where the record and the work's own writes commit
 * together or not at all. {@link dev.semel.jdbc.JdbcOutbox} does the same for messages that leave,
 * and {@link dev.semel.jdbc.JdbcInbox} for those that come; {@link dev.semel.jdbc.JdbcJobs} keeps
 * jobs.
 *
 * <p>Invariant: a statement that changes a record names the token it was seen with, so a lost race
 * changes nothing. No transaction is left open or aborted on a connection that is given back.
 *
 * <p>Start at a store. SQLite's SQL is in {@code SqliteRecords}; what servers have in common is in
 * {@code ServerStore} and what they say differently in a {@code SqlDialect}; tables are in {@code
 * SqlSchema}. The outbox's SQL is the same everywhere but for an {@code OutboxDialect}; the inbox
 * begins at {@code TransactionalConsumerInbox}, jobs at {@code JobDialect}. Another server is
 * another dialect, its tables, its faults, and how it begins a transaction.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
