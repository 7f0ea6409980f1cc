package dev.semel.job;

import dev.semel.Operation;
import dev.semel.idempotency.GuardedExecutor;

/** How the jobs of one queue are handled. */
record JobWork(
    Operation operation, GuardedExecutor once, JobHandler handler, ProcessorSettings settings) {}
