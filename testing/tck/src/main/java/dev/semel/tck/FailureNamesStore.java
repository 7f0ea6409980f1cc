package dev.semel.tck;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Reports name the contract's class; this says which of several stores broke it. */
final class FailureNamesStore implements TestExecutionExceptionHandler {
  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    context
        .getRequiredTestInstances()
        .findInstance(ContractWords.class)
        .map(contract -> new AssertionError("the store was " + contract.store()))
        .ifPresent(failure::addSuppressed);
    throw failure;
  }
}
