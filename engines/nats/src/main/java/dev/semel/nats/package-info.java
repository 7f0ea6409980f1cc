/**
 * Messages, jobs and streams over NATS JetStream. {@link dev.semel.nats.JetStreamTransport}
 * publishes with the message's id, for the broker's duplicate window, and keeps order by
 * partitions: a message with an ordering key goes to the key's partition, and each partition has
 * one message at a time in flight.
 *
 * <p>Invariant: only messages that the broker confirmed count as published, and a broken connection
 * sends nothing more: messages in flight fail as in doubt, and their sender repeats them.
 *
 * <p>{@link dev.semel.nats.JetStreamJobs} keeps jobs in a work queue, beside their dead letters:
 * each key is there once, and notes record in advance what the broker can't count.
 *
 * <p>{@link dev.semel.nats.JetStreamLog} is the log of streams that several servers share: it
 * accepts a message only after the last one of its path that its writer knows.
 */
@NullMarked
package dev.semel.nats;

import org.jspecify.annotations.NullMarked;
