/**
 * Messages over RabbitMQ. {@link dev.semel.rabbitmq.RabbitTransport} sends them through exchanges
 * into quorum queues, {@link dev.semel.rabbitmq.RabbitStreamTransport} into streams. A destination
 * has numbered partitions, and a key's messages are always in the same one. Each partition has one
 * reader per consumer name: the broker ensures that for queues, the consumer's database for
 * streams. A confirmed message is stored; a delivered one may be redelivered.
 */
@NullMarked
package dev.semel.rabbitmq;

import org.jspecify.annotations.NullMarked;
