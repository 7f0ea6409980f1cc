/**
 * The outbox in SQL. Start at {@link dev.semel.jdbc.internal.outbox.SqlOutboxStore}; what differs
 * between servers is an {@link dev.semel.jdbc.internal.outbox.OutboxDialect}.
 */
@NullMarked
package dev.semel.jdbc.internal.outbox;

import org.jspecify.annotations.NullMarked;
