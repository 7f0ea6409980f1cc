/**
 * Job queues in SQL. What differs between servers is a {@link
 * dev.semel.jdbc.internal.jobs.JobDialect}.
 */
@NullMarked
package dev.semel.jdbc.internal.jobs;

import org.jspecify.annotations.NullMarked;
