/**
 * What an engine implements to keep an inbox: {@link dev.semel.inbox.spi.ConsumerInbox} for
 * consumers, {@link dev.semel.inbox.spi.InboxOperations} for operators. Its contract is in
 * semel-tck.
 */
@NullMarked
package dev.semel.inbox.spi;

import org.jspecify.annotations.NullMarked;
