/** The second ring in one piece: its parts, how one of them runs, and the record of all runs. */
@NullMarked
package dev.semel.junit.proof;

import org.jspecify.annotations.NullMarked;
