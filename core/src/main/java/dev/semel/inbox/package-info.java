/**
 * Messages that take effect once. An id is recorded in the transaction of what its handler writes:
 * so a message that comes again, for whatever reason, finds its id and is only acknowledged.
 *
 * <p>Start at {@link dev.semel.inbox.MessageConsumer}, which takes messages from a subscription to
 * an {@link dev.semel.inbox.spi.ConsumerInbox}; {@link dev.semel.inbox.HandleResult} lists what can
 * become of one.
 */
@NullMarked
package dev.semel.inbox;

import org.jspecify.annotations.NullMarked;
