/**
 * Messages that are written in the transaction of the change that they announce, and the {@link
 * dev.semel.outbox.Relay} that publishes them to a broker.
 *
 * <p>Invariant: a message leaves the table only after the broker confirmed it, or to be kept as a
 * dead letter. So a message is sent at least once, whatever fails; its id lets receivers drop
 * duplicates.
 *
 * <p>The table is a queue, not a log with an offset: transactions commit in another order than
 * their rows were numbered, so a reader that remembers a number loses messages. Partitions keep the
 * order: messages with the same ordering key are in the same partition, and one relay at a time
 * holds it.
 *
 * <p>Start at {@link dev.semel.outbox.Relay}; {@link dev.semel.outbox.spi.OutboxStore} is what an
 * engine implements.
 */
@NullMarked
package dev.semel.outbox;

import org.jspecify.annotations.NullMarked;
