/**
 * Messages, jobs and streams over NATS JetStream. {@link dev.semel.nats.JetStreamTransport}
 * publishes with the message's id, which the broker's duplicate window knows, and keeps order by
 * partitions: a message with an ordering key goes to the partition of its key, and of each
 * partition one message at a time is out.
 *
 * <p>Invariant: nothing is called published that the broker did not confirm, and nothing is sent by
 * a connection that broke: what was on its way fails as unknown, and is sent again by whoever sent
 * it.
 *
 * <p>{@link dev.semel.nats.JetStreamJobs} keeps jobs in a work queue, beside their dead letters: a
 * key is there once, and what the broker can't count is written down before it happens.
 *
 * <p>{@link dev.semel.nats.JetStreamLog} is the log of streams that several servers share: a
 * message is only taken behind the last one of its path that its writer knows.
 */
@NullMarked
package dev.semel.nats;

import org.jspecify.annotations.NullMarked;
