package dev.semel.tck;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;

/** Adds the store's name to a failure, because reports name only the contract's class. */
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
