/**
 * Records in SQL: {@link dev.semel.jdbc.SqliteStore} in one file, {@link
 * dev.semel.jdbc.PostgresStore} on a server, and {@link dev.semel.jdbc.TransactionalIdempotency},
 * where the record and the work's own writes commit together or not at all.
 *
 * <p>Invariant: a statement that changes a record names the token it was seen with, so a lost race
 * changes nothing. No transaction is left open or aborted on a connection that is given back.
 *
 * <p>Start at a store; its SQL is in {@code SqliteRecords} and {@code PostgresRecords}, the tables
 * in {@code Schema}. Another engine is another store, its tables, and its {@code Transactions}.
 */
@NullMarked
package dev.semel.jdbc;

import org.jspecify.annotations.NullMarked;
