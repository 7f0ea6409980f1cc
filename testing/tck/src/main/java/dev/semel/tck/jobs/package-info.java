/**
 * Contract tests of job queues, to extend. Start at {@link dev.semel.tck.jobs.JobQueueContract}.
 */
@NullMarked
package dev.semel.tck.jobs;

import org.jspecify.annotations.NullMarked;
