/**
 * Runs that try to break a promise, and judge the result. {@link dev.semel.proof.StoreProof} tests
 * a store: it starts workers that ask for the same keys, injects {@link
 * dev.semel.proof.fault.ProcessFault faults}, asks for every key once more at the end, and passes
 * the recorded history to the checkers. {@link dev.semel.proof.flow.FlowProof} tests messages and
 * streams: processes of a {@link dev.semel.proof.flow.ProvedFlow} write notes, which a judge
 * compares. Nothing here needs a test framework: {@code semel prove} runs both on a user's own
 * systems.
 */
@NullMarked
package dev.semel.proof;

import org.jspecify.annotations.NullMarked;
