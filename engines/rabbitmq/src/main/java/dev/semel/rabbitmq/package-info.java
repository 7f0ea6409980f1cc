/**
 * Messages over RabbitMQ. {@link dev.semel.rabbitmq.RabbitTransport} sends them through exchanges
 * into quorum queues, {@link dev.semel.rabbitmq.RabbitStreamTransport} into streams. A destination
 * has numbered partitions, and a key's messages are always on the same one. A partition of a
 * consumer's name has one reader at a time: the broker sees to that for queues, the consumer's
 * database for streams. What is confirmed here is stored; what is delivered may come again.
 */
@NullMarked
package dev.semel.rabbitmq;

import org.jspecify.annotations.NullMarked;
