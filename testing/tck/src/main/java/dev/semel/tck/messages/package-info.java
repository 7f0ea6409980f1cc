/**
 * Contract tests of outboxes, inboxes and transports, to extend. Start at {@link
 * dev.semel.tck.messages.TransportContract}, {@link dev.semel.tck.messages.OutboxStoreContract} and
 * {@link dev.semel.tck.messages.InboxContract}.
 */
@NullMarked
package dev.semel.tck.messages;

import org.jspecify.annotations.NullMarked;
