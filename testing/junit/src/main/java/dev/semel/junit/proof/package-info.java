/** The second ring: its parts, how one part runs, and the record of all runs. */
@NullMarked
package dev.semel.junit.proof;

import org.jspecify.annotations.NullMarked;
