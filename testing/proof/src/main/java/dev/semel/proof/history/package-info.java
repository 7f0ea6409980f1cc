/**
 * The history of a run, and the checks on it. A {@link dev.semel.proof.history.HistoryRecorder}
 * records every call of every process; a {@link dev.semel.proof.history.HistoryChecker} finds
 * answers in the {@link dev.semel.proof.history.History} that no correct store could have given.
 * {@link dev.semel.proof.history.MessageChecker} and {@link dev.semel.proof.history.LogChecker}
 * judge messages and logs. Nothing here needs a test framework, so that a command can use it too.
 */
@NullMarked
package dev.semel.proof.history;

import org.jspecify.annotations.NullMarked;
