package dev.semel.junit.proof;

import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.LauncherSession;
import org.junit.platform.launcher.TagFilter;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.LoggingListener;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/**
 * Runs one class's tests with the tag {@code proof}, one after another, in this JVM. Exits with 0
 * if none failed.
 */
public final class RunPart {
  private RunPart() {}

  /** Argument: the name of the class. */
  public static void main(String[] arguments) {
    LauncherDiscoveryRequest request =
        LauncherDiscoveryRequestBuilder.request()
            .selectors(DiscoverySelectors.selectClass(arguments[0]))
            .filters(TagFilter.includeTags("proof"))
            .configurationParameter("junit.jupiter.execution.parallel.enabled", "false")
            .build();
    SummaryGeneratingListener summary = new SummaryGeneratingListener();
    try (LauncherSession session = LauncherFactory.openSession()) {
      session
          .getLauncher()
          .execute(
              request,
              summary,
              LoggingListener.forBiConsumer(
                  (thrown, message) -> {
                    System.out.println(message.get());
                    if (thrown != null) {
                      thrown.printStackTrace(System.out);
                    }
                  }));
    }
    System.exit(summary.getSummary().getTotalFailureCount() == 0 ? 0 : 1);
  }
}
