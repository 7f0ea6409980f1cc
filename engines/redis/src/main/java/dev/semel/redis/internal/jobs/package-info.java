/** Job queues in Redis. Start at {@link dev.semel.redis.internal.jobs.JobScript}. */
@NullMarked
package dev.semel.redis.internal.jobs;

import org.jspecify.annotations.NullMarked;
