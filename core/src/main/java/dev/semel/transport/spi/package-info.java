/**
 * What a transport implements and is given: {@link dev.semel.transport.spi.Subscription} hands out
 * {@link dev.semel.transport.spi.Delivery}s. {@link dev.semel.transport.spi.PartitionShare} is for
 * brokers that are logs, whose readers keep their own positions.
 */
@NullMarked
package dev.semel.transport.spi;

import org.jspecify.annotations.NullMarked;
