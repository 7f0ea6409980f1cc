package dev.semel.spring.internal;

import dev.semel.InvalidInput;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Shows a start failure by its message, which already says what to do. */
final class InvalidUseAnalyzer extends AbstractFailureAnalyzer<InvalidInput> {
  @Override
  protected FailureAnalysis analyze(Throwable failure, InvalidInput cause) {
    return new FailureAnalysis(
        String.valueOf(cause.getMessage()),
        "Change the annotation or the semel.* property that it names.",
        cause);
  }
}
