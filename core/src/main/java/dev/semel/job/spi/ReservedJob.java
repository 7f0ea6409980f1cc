package dev.semel.job.spi;

import dev.semel.Token;
import dev.semel.job.Job;

/**
 * A job in a worker's hands.
 *
 * @param token whoever holds the job now has it, and nobody else may change it
 * @param attempt 1 for the first; one more each time it is handed out, unless it was given back
 * @param lost how often a worker that had it was never heard of again
 */
public record ReservedJob(Job job, Token token, int attempt, int lost) {}
