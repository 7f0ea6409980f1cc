package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * An example that is run by the command of its page prints what stands there, up to times, places
 * and the moment of a kill. Only the build is left out: its classes are this test's.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class ExamplesTest {
  private static final long PATIENCE_SECONDS = 120;

  @TempDir Path folder;

  @Test
  void paymentsInPlainJavaHappenOnceOrAreInDoubt() throws Exception {
    assertPrintsWhatItsPageSays("plain-java");
  }

  @Test
  void webhooksThatAreSentAgainAreTakenOnce() throws Exception {
    assertPrintsWhatItsPageSays("webhook-receiver");
  }

  @Test
  void ordersGoOverAStreamOnceWhateverIsKilled() throws Exception {
    assertPrintsWhatItsPageSays("streams");
  }

  @Test
  void cronLinesThatOverlapRunTheJobOnce() throws Exception {
    assertPrintsWhatItsPageSays("cron-guard");
  }

  @Test
  void aServiceInNodeIsAskedOnceBehindTheGateway() throws Exception {
    assertPrintsWhatItsPageSays("gateway-node");
  }

  @Test
  void everyExampleIsInTheListWithItsCommand() throws IOException {
    Page list = Book.page("examples/README.md");
    try (Stream<Path> all = Files.list(Book.ROOT.resolve("examples"))) {
      assertThat(all.filter(each -> Files.exists(each.resolve("run"))))
          .isNotEmpty()
          .allSatisfy(
              each -> {
                assertThat(list.links()).contains(each.getFileName() + "/README.md");
                assertThat(list.text()).contains("`examples/" + each.getFileName() + "/run`");
              });
    }
  }

  private void assertPrintsWhatItsPageSays(String example) throws Exception {
    Page page = Book.page("examples/" + example + "/README.md");
    String command = "examples/" + example + "/run";
    List<String> said = printed(page, command);
    assertThat(run(command).map(ExamplesTest::lasting))
        .containsExactlyElementsOf(said.stream().map(ExamplesTest::lasting).toList());
  }

  /** The fence that follows the command's. */
  private static List<String> printed(Page page, String command) {
    List<Page.Fence> fences = page.fences();
    for (int i = 0; i + 1 < fences.size(); i++) {
      if (fences.get(i).lines().equals(List.of(command))) {
        return fences.get(i + 1).lines();
      }
    }
    throw new AssertionError(page.name() + " does not show " + command + " and what it prints");
  }

  /** What is the same each time. */
  private static String lasting(String line) {
    return line.replaceAll("\\b\\d+(\\.\\d+)?(ms|h|m|s)(\\d+(m|s))?\\b", "TIME")
        .replaceAll("(?<![\\w.])/\\S*/", "PATH/")
        .replaceAll("by [\\w.-]+/\\d+", "by HOST/PID")
        .replaceAll("order \\d+", "order N");
  }

  private Stream<String> run(String command) throws IOException, InterruptedException {
    Path errors = folder.resolve("errors.txt");
    Path output = folder.resolve("output.txt");
    ProcessBuilder builder =
        new ProcessBuilder(Book.ROOT.resolve(command).toString())
            .directory(folder.toFile())
            .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
            .redirectOutput(output.toFile())
            .redirectError(errors.toFile());
    builder.environment().keySet().removeIf(name -> name.startsWith("SEMEL_"));
    builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
    builder.environment().put("EXAMPLE_CLASSES", System.getProperty("java.class.path"));
    builder.environment().put("SEMEL", JavaProgram.semel(folder).toString());
    builder.environment().put("TMPDIR", folder.toString());
    Process process = builder.start();
    boolean ended = process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS);
    if (!ended) {
      process.descendants().forEach(ProcessHandle::destroyForcibly);
      process.destroyForcibly();
    }
    assertThat(ended && process.exitValue() == 0)
        .as("%s\n%s", Book.text(output), Book.text(errors))
        .isTrue();
    return Book.text(output).lines();
  }
}
