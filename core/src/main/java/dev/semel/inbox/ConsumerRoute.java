package dev.semel.inbox;

import dev.semel.inbox.spi.ConsumerInbox;
import dev.semel.loop.Platform;
import dev.semel.transport.spi.Subscription;

/**
 * Where a consumer's messages come from, and where they go: to the inbox, or to the dead letters.
 */
record ConsumerRoute(
    Platform platform, Subscription subscription, ConsumerInbox inbox, DeadLetters deadLetters) {}
