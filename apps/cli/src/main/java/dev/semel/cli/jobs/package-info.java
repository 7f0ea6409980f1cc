/** {@code semel jobs} and {@code semel queues}: jobs, and the settings of operations. */
@NullMarked
package dev.semel.cli.jobs;

import org.jspecify.annotations.NullMarked;
