/**
 * Messages that were written in the transaction of what they tell of, and the {@link
 * dev.semel.outbox.Relay} that takes them to a broker.
 *
 * <p>Invariant: a message leaves the table only after the broker confirmed it, or to be kept as a
 * dead letter. So whatever dies, a message is sent at least once; its id makes it once.
 *
 * <p>The table is a queue, not a log with an offset: transactions commit in another order than that
 * in which their rows were numbered, so a reader that remembers a number loses messages. Order is
 * kept by partitions: messages with the same ordering key are in the same one, and one relay at a
 * time has it.
 *
 * <p>Start at {@link dev.semel.outbox.Relay}; {@link dev.semel.outbox.spi.OutboxStore} is what an
 * engine offers.
 */
@NullMarked
package dev.semel.outbox;

import org.jspecify.annotations.NullMarked;
