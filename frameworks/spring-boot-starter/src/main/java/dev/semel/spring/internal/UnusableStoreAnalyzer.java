package dev.semel.spring.internal;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows an unusable store as a readable message instead of a stack trace. */
public final class UnusableStoreAnalyzer extends AbstractFailureAnalyzer<UnusableStore> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, UnusableStore cause) {
    return new FailureAnalysis("Semel has no store: " + cause.getMessage(), cause.action(), cause);
  }
}
