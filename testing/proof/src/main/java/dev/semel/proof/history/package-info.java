/**
 * What happened in a run, and whether it may have happened. A {@link
 * dev.semel.proof.history.HistoryRecorder} writes down every call of every process; a {@link
 * dev.semel.proof.history.HistoryChecker} says what in the {@link dev.semel.proof.history.History}
 * no correct store could have answered. {@link dev.semel.proof.history.MessageChecker} and {@link
 * dev.semel.proof.history.LogChecker} judge messages and logs. Nothing here needs a test framework,
 * so that a command can use it too.
 */
@NullMarked
package dev.semel.proof.history;

import org.jspecify.annotations.NullMarked;
