/**
 * What a transport implements, and what it gets: {@link dev.semel.transport.spi.Subscription} hands
 * out {@link dev.semel.transport.spi.Delivery}s. {@link dev.semel.transport.spi.PartitionShare}
 * helps with brokers that are logs, whose readers keep their positions themselves.
 */
@NullMarked
package dev.semel.transport.spi;

import org.jspecify.annotations.NullMarked;
