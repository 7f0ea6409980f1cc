/**
 * Short stories that show what Semel is for. Each is played for real, once without Semel and once
 * with it on a real database, and told side by side.
 *
 * <p>Invariant: what is told is what happened: a line is written from an outcome or from what was
 * kept, never beforehand. Who must overlap with whom is arranged with latches, not with luck.
 *
 * <p>Start at {@link dev.semel.cli.demo.DemoStories}; {@link dev.semel.cli.demo.Narrator} is where
 * the lines go.
 */
@NullMarked
package dev.semel.cli.demo;

import org.jspecify.annotations.NullMarked;
