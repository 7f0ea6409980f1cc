package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.internal.DecisionReporter;

/** An engine's transactions, with the listeners for their decisions and durations. */
public record ReportedTransactions(
    EngineTransactions transactions, DecisionReporter reporter, TimingListener timings) {}
