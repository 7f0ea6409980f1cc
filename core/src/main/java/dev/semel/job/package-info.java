/**
 * Work that is put into a queue and takes effect once: {@link dev.semel.job.Jobs} puts it there,
 * {@link dev.semel.job.ExactlyOnceProcessor} runs it, {@link dev.semel.job.spi.JobQueue} is what an
 * engine offers for both.
 *
 * <p>Invariant: a job is known by its key, and a queue has one record for it, from the first time
 * that it is put there until its retention ended. Whoever asks for it again meanwhile is told so.
 * The queue delivers at least once; the execution's own claim, in the idempotency store, makes it
 * once.
 *
 * <p>{@link dev.semel.job.Cron} does something at each slot of a {@link
 * dev.semel.job.CronSchedule}: once per slot, and one slot at a time. It needs no queue.
 *
 * <p>Start at {@link dev.semel.job.Jobs}.
 */
@NullMarked
package dev.semel.job;

import org.jspecify.annotations.NullMarked;
