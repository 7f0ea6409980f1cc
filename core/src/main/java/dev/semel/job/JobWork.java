package dev.semel.job;

import dev.semel.Operation;
import dev.semel.idempotency.GuardedExecutor;

/** What is done with the jobs of one queue, and how. */
record JobWork(
    Operation operation, GuardedExecutor once, JobHandler handler, ProcessorSettings settings) {}
