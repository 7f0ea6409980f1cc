package dev.semel.junit.proof;

import dev.semel.junit.proof.RecordLine.Result;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.reporting.ReportEntry;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Prints the entries that tests publish, and writes the result of all tests of this JVM to the file
 * in the property {@value #FILE}: the last columns of a {@link RecordLine}. JUnit finds this class
 * as a service.
 *
 * <p>Figures with the same name are summed over the tests of a part; seeds are listed.
 */
public final class PartListener implements TestExecutionListener {
  static final String FILE = "semel.proof.result";

  private static final int LONGEST_FAILURE = 300;

  private final @Nullable String file = System.getProperty(FILE);
  private final Map<String, Long> figures = new TreeMap<>();
  private final Set<String> seeds = new LinkedHashSet<>();
  private final long begun = System.nanoTime();
  private @Nullable TestPlan plan;
  private String failure = "";
  private int succeeded;
  private int failed;

  @Override
  public synchronized void testPlanExecutionStarted(TestPlan plan) {
    this.plan = plan;
  }

  @Override
  public synchronized void reportingEntryPublished(TestIdentifier test, ReportEntry entry) {
    System.out.printf("%s: %s%n", test.getDisplayName(), entry.getKeyValuePairs());
    entry
        .getKeyValuePairs()
        .forEach(
            (name, value) -> {
              if (name.equals(RecordLine.SEED)) {
                seeds.add(value);
              } else if (value.matches("\\d{1,18}")) {
                figures.merge(name, Long.parseLong(value), Long::sum);
              }
            });
  }

  @Override
  public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
    boolean broken = result.getStatus() == TestExecutionResult.Status.FAILED;
    if (broken) {
      failed++;
      List<String> names = names(test);
      // Maven's reports only count a class's parameters, and omit the subclass's name.
      System.out.printf("failed: %s%n", String.join(" > ", names));
      if (failure.isEmpty()) {
        failure =
            String.join(", ", names.subList(Math.min(1, names.size() - 1), names.size()))
                + ": "
                + firstLine(result.getThrowable().orElse(null));
      }
    } else if (test.isTest() && result.getStatus() == TestExecutionResult.Status.SUCCESSFUL) {
      succeeded++;
    }
  }

  /** The test's names from its class on, including parameters. */
  private List<String> names(TestIdentifier test) {
    List<String> names = new ArrayList<>();
    Optional<TestIdentifier> next = Optional.of(test);
    while (next.isPresent() && plan != null) {
      names.add(0, next.get().getDisplayName());
      next = plan.getParent(next.get());
    }
    // Skips the first name, which is JUnit's own.
    return names.size() > 1 ? names.subList(1, names.size()) : List.of(test.getDisplayName());
  }

  private static String firstLine(@Nullable Throwable thrown) {
    if (thrown == null) {
      return "it does not say why";
    }
    return String.valueOf(thrown.getMessage())
        .lines()
        .map(String::strip)
        .filter(line -> !line.isEmpty())
        .findFirst()
        .map(line -> thrown.getClass().getSimpleName() + ": " + line)
        .orElse(thrown.getClass().getName());
  }

  @Override
  public synchronized void testPlanExecutionFinished(TestPlan plan) {
    if (file == null) {
      return;
    }
    try {
      Files.writeString(Path.of(file), columns() + "\n");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  Result result() {
    if (failed > 0) {
      return Result.FAILED;
    }
    return succeeded > 0 ? Result.PASSED : Result.SKIPPED;
  }

  /** The columns from {@code result} to the last one. */
  private String columns() {
    Stream<String> volume =
        Boolean.getBoolean(ProofRun.LONG) ? Stream.of(RecordLine.VOLUME + "=long") : none();
    Stream<String> seed =
        seeds.isEmpty() ? none() : Stream.of(RecordLine.SEED + "=" + String.join(",", seeds));
    Stream<String> sums = figures.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue());
    return String.join(
        "\t",
        result().word(),
        Long.toString(Duration.ofNanos(System.nanoTime() - begun).toSeconds()),
        Stream.of(volume, seed, Stream.of("tests=" + (succeeded + failed)), sums)
            .flatMap(each -> each)
            .collect(Collectors.joining(" ")),
        cut(failure.replaceAll("\\s+", " ")));
  }

  private static Stream<String> none() {
    return Stream.empty();
  }

  private static String cut(String text) {
    return text.length() <= LONGEST_FAILURE ? text : text.substring(0, LONGEST_FAILURE) + "…";
  }
}
