/**
 * Support for applications' tests: a store in memory, a clock that the test advances, and counts of
 * executions. Start at {@link dev.semel.spring.test.AutoConfigureSemel}.
 */
@NullMarked
package dev.semel.spring.test;

import org.jspecify.annotations.NullMarked;
