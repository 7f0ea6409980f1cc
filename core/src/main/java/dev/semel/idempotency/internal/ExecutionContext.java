package dev.semel.idempotency.internal;

import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.loop.Platform;

/** What every step of an execution needs: the records, the reporter and the platform. */
public record ExecutionContext(
    IdempotencyStore store, DecisionReporter reporter, Platform platform) {}
