package dev.semel.jdbc.internal.transaction;

import dev.semel.idempotency.TimingListener;
import dev.semel.idempotency.internal.DecisionReporter;

/** An engine's transactions, and who hears of what is decided in them and how long it took. */
public record ReportedTransactions(
    EngineTransactions transactions, DecisionReporter reporter, TimingListener timings) {}
