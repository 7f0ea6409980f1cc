/** What differs from machine to machine: clocks, randomness, waiting. */
@NullMarked
package dev.semel.loop;

import org.jspecify.annotations.NullMarked;
