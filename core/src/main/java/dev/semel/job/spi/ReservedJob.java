package dev.semel.job.spi;

import dev.semel.Token;
import dev.semel.job.Job;

/**
 * A job that a worker has.
 *
 * @param token identifies this hand-out; without it nobody may change the job
 * @param attempt 1 for the first; one more each time it is handed out, unless it was given back
 * @param lost how often a worker that had it let its lease end
 */
public record ReservedJob(Job job, Token token, int attempt, int lost) {}
