/** The inbox in SQL. Start at {@link dev.semel.jdbc.internal.inbox.TransactionalConsumerInbox}. */
@NullMarked
package dev.semel.jdbc.internal.inbox;

import org.jspecify.annotations.NullMarked;
