/**
 * Messages that take effect once. The inbox records a message's id in the transaction of its
 * handler's writes, so a message that is delivered again finds its id and is only acknowledged.
 *
 * <p>Start at {@link dev.semel.inbox.MessageConsumer}, which takes messages from a subscription to
 * an {@link dev.semel.inbox.spi.ConsumerInbox}; {@link dev.semel.inbox.HandleResult} lists the
 * possible results.
 */
@NullMarked
package dev.semel.inbox;

import org.jspecify.annotations.NullMarked;
