package dev.semel.webhook;

/**
 * What became of what a sender was told, since it began.
 *
 * @param delivered the receiver took it
 * @param failed tries that were repeated, or will be
 * @param refused the receiver did not want it; it is not sent again
 * @param lost given up, because the receiver was away for too long
 * @param overflowed never sent, because too much waited
 * @param waiting now
 */
public record WebhookCounts(
    long delivered, long failed, long refused, long lost, long overflowed, int waiting) {}
