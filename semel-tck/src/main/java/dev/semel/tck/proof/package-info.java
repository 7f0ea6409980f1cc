/**
 * A run that tries to break a store's promise, and a judgement of what happened. {@link
 * dev.semel.tck.proof.Proof} starts workers that ask for the same keys, lets {@link
 * dev.semel.tck.proof.Fault faults} happen to them, asks for every key once more when all is over,
 * and gives the recorded history to the checkers. Nothing here needs a test framework: {@code semel
 * prove} runs it on a user's own store.
 */
@NullMarked
package dev.semel.tck.proof;

import org.jspecify.annotations.NullMarked;
