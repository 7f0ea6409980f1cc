/**
 * Messages over Apache Kafka. {@link dev.semel.kafka.KafkaTransport} publishes with an idempotent
 * producer, or a batch at a time in a transaction, and reads with a group whose offsets are in the
 * consumer's own database. {@link dev.semel.kafka.KafkaProcessor} stays within Kafka: what it read
 * and what it wrote commit together.
 *
 * <p>Invariant: nothing is called published that the broker did not confirm, and no message is
 * passed over: where the broker has deleted what was not read, reading stops and says so.
 */
@NullMarked
package dev.semel.kafka;

import org.jspecify.annotations.NullMarked;
