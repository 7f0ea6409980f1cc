/**
 * Messages and the brokers that carry them. A {@link dev.semel.transport.Transport} promises
 * little: what it confirmed is stored, and it may deliver anything more than once. What makes it
 * once is the message's id, which the inbox keeps.
 *
 * <p>Start at {@link dev.semel.transport.Transport}; {@link dev.semel.transport.spi.PartitionShare}
 * is for brokers that are logs, whose readers keep their own positions.
 */
@NullMarked
package dev.semel.transport;

import org.jspecify.annotations.NullMarked;
