/**
 * Proofs of messages and streams: processes write notes, and a judge compares them. Start at {@link
 * dev.semel.proof.flow.FlowProof}.
 */
@NullMarked
package dev.semel.proof.flow;

import org.jspecify.annotations.NullMarked;
