package dev.semel.webhook;

/**
 * How many messages a {@link WebhookSender} delivered, retried, lost or dropped since it started.
 *
 * @param delivered the receiver took it
 * @param failed failed tries, each of which is repeated
 * @param refused the receiver refused it; it is not sent again
 * @param lost given up, because the receiver was away for too long
 * @param overflowed never sent, because too much waited
 * @param waiting now
 */
public record WebhookCounts(
    long delivered, long failed, long refused, long lost, long overflowed, int waiting) {}
