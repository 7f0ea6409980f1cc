/** The machine that code runs on, real or simulated: clocks, randomness, waiting. */
@NullMarked
package dev.semel.loop;

import org.jspecify.annotations.NullMarked;
