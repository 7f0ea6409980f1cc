/**
 * Runs that try to break a promise, and a judgement of what happened. {@link
 * dev.semel.proof.StoreProof} is that of a store: it starts workers that ask for the same keys,
 * lets {@link dev.semel.proof.fault.ProcessFault faults} happen to them, asks for every key once
 * more when all is over, and gives the recorded history to the checkers. {@link
 * dev.semel.proof.flow.FlowProof} is that of messages and streams: processes of a {@link
 * dev.semel.proof.flow.ProvedFlow} write down notes, which its judge compares. Nothing here needs a
 * test framework: {@code semel prove} runs both on a user's own systems.
 */
@NullMarked
package dev.semel.proof;

import org.jspecify.annotations.NullMarked;
