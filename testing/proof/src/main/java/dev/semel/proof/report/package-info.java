/** Verdicts as pages and sentences. Start at {@link dev.semel.proof.report.ProofReport}. */
@NullMarked
package dev.semel.proof.report;

import org.jspecify.annotations.NullMarked;
