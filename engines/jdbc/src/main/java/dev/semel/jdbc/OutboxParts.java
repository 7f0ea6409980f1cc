package dev.semel.jdbc;

import dev.semel.jdbc.internal.outbox.CallQueue;
import dev.semel.jdbc.internal.outbox.CommitNotifier;
import dev.semel.jdbc.internal.outbox.KeptConnection;
import dev.semel.jdbc.internal.outbox.OutboxDialect;
import dev.semel.jdbc.internal.outbox.OutboxTransactions;
import dev.semel.jdbc.internal.outbox.SqliteOutbox;
import dev.semel.jdbc.internal.sqlite.SqliteFile;
import dev.semel.jdbc.internal.sqlite.SqliteWriter;
import dev.semel.jdbc.internal.store.ServerStore;
import dev.semel.jdbc.internal.store.SqlEngine;
import dev.semel.jdbc.internal.store.SqlSessions;
import java.time.InstantSource;

/** The parts of an outbox on one engine. */
public record OutboxParts(
    String description,
    SqlEngine engine,
    OutboxDialect sql,
    CallQueue reading,
    CallQueue writing,
    OutboxTransactions transactions,
    CommitNotifier bells,
    OutboxSettings settings) {

  static OutboxParts onServer(
      ServerStore store, OutboxDialect sql, CommitNotifier bells, OutboxSettings settings) {
    SqlSessions sessions = store.sessions();
    return new OutboxParts(
        store.describe(),
        store,
        sql,
        new KeptConnection(sessions, sql, false),
        new KeptConnection(sessions, sql, settings.keepsHistory() && !sql.keepsAtOnce()),
        new OutboxTransactions.OnServer(sessions),
        bells,
        settings);
  }

  static OutboxParts inFile(SqliteStore store, OutboxSettings settings) {
    SqliteFile file = store.file();
    InstantSource clock = store.clock();
    return new OutboxParts(
        store.describe(),
        store.engine(),
        new SqliteOutbox(file, clock),
        CallQueue.reading(store.engine()),
        CallQueue.writing(store.engine()),
        new OutboxTransactions.InFile(file, new SqliteWriter(file, true)),
        new CommitNotifier(null),
        settings);
  }
}
