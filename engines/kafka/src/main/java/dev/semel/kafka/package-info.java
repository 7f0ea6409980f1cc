/**
 * Messages over Apache Kafka. {@link dev.semel.kafka.KafkaTransport} publishes with an idempotent
 * producer, or a batch at a time in a transaction, and reads with a group whose offsets are in the
 * consumer's own database. {@link dev.semel.kafka.KafkaProcessor} stays within Kafka: its reads and
 * its writes commit together.
 *
 * <p>Invariant: only messages that the broker confirmed count as published, and no message is
 * skipped: where the broker has deleted unread messages, reading stops with an error.
 */
@NullMarked
package dev.semel.kafka;

import org.jspecify.annotations.NullMarked;
