/**
 * Same-transaction mode: the record commits with the effect. Start at {@link
 * dev.semel.jdbc.internal.transaction.TransactionalRun}.
 */
@NullMarked
package dev.semel.jdbc.internal.transaction;

import org.jspecify.annotations.NullMarked;
