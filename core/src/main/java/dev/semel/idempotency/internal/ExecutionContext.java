package dev.semel.idempotency.internal;

import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Platform;

/** What every step of an execution needs: the records, who hears of decisions, and the machine. */
public record ExecutionContext(
    IdempotencyStore store, DecisionReporter reporter, Platform platform) {}
