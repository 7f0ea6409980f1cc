/**
 * What an engine implements to keep jobs: {@link dev.semel.job.spi.JobQueue} for workers, {@link
 * dev.semel.job.spi.JobOperations} for operators. Its contract is in semel-tck.
 */
@NullMarked
package dev.semel.job.spi;

import org.jspecify.annotations.NullMarked;
