/**
 * Short stories that show what Semel is for. Each runs for real, once without Semel and once with
 * it on a real database, and shows both side by side.
 *
 * <p>Invariant: a line is written from an outcome or from stored data, never beforehand. Latches
 * arrange every overlap, not luck.
 *
 * <p>Start at {@link dev.semel.cli.demo.DemoStories}; {@link dev.semel.cli.demo.Narrator} receives
 * the lines.
 */
@NullMarked
package dev.semel.cli.demo;

import org.jspecify.annotations.NullMarked;
