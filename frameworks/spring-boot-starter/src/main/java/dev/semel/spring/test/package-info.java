/**
 * For tests of applications: a store in memory, time that passes when told to, and a look at what
 * was executed. Start at {@link dev.semel.spring.test.AutoConfigureSemel}.
 */
@NullMarked
package dev.semel.spring.test;

import org.jspecify.annotations.NullMarked;
