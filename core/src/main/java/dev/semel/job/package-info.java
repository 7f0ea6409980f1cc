/**
 * Queued work that takes effect once: {@link dev.semel.job.Jobs} enqueues it, {@link
 * dev.semel.job.ExactlyOnceProcessor} runs it, {@link dev.semel.job.spi.JobQueue} is what an engine
 * implements for both.
 *
 * <p>Invariant: a job's key identifies it, and a queue has one record for it, from when it is first
 * added until its retention ended. Enqueueing it again meanwhile gives a duplicate. The queue
 * delivers at least once; the execution's claim in the idempotency store makes it once.
 *
 * <p>{@link dev.semel.job.Cron} runs work at each slot of a {@link dev.semel.job.CronSchedule}:
 * once per slot, and one slot at a time. It needs no queue.
 *
 * <p>Start at {@link dev.semel.job.Jobs}.
 */
@NullMarked
package dev.semel.job;

import org.jspecify.annotations.NullMarked;
