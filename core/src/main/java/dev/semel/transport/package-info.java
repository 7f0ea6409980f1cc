/**
 * Messages and the brokers that carry them. A {@link dev.semel.transport.Transport} promises
 * little: a confirmed message is stored, and any message may be delivered more than once. The inbox
 * makes it once, by the message's id.
 *
 * <p>Start at {@link dev.semel.transport.Transport}; {@link dev.semel.transport.spi.PartitionShare}
 * helps with brokers that are logs, whose readers keep their positions themselves.
 */
@NullMarked
package dev.semel.transport;

import org.jspecify.annotations.NullMarked;
