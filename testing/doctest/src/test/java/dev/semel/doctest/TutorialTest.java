package dev.semel.doctest;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.Patience;
import dev.semel.junit.ProjectRoot;
import dev.semel.junit.TestProcess;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestReporter;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/**
 * The tutorial, pasted: its blocks of {@code sh} go into one bash, in their order, and each must
 * print what the block of {@code text} behind it shows, or nothing. The ports of the page are free
 * ones here. Both sides are compared line by line without what differs from run to run, which
 * {@link #lasting} lists.
 */
@EnabledOnOs({OS.LINUX, OS.MAC})
class TutorialTest {
  private static final Page PAGE = Book.page("docs/tutorial.md");
  private static final List<String> PORTS = List.of("3000", "4437", "4438", "8080");

  /** A build may have to download everything. */
  private static final Duration BUILDS = Duration.ofMinutes(25);

  @TempDir Path folder;
  private final Map<String, String> freePorts = new HashMap<>();

  @BeforeEach
  void findFreePorts() throws IOException {
    List<ServerSocket> open = new ArrayList<>();
    for (String port : PORTS) {
      ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
      open.add(socket);
      freePorts.put(port, Integer.toString(socket.getLocalPort()));
    }
    for (ServerSocket socket : open) {
      socket.close();
    }
  }

  /** Its builds are left out, and so is Spring: the classes are this test's. */
  @Test
  @Tag("service") // a gateway, a server and a kill
  void printsWhatItShows() throws IOException {
    Path checkout = Files.createDirectory(folder.resolve("checkout"));
    JavaProgram.semel(checkout);
    Path tools = Files.createDirectory(folder.resolve("tools"));
    JavaProgram.script(
        tools.resolve("mvn"),
        """
        case " $* " in
          *' install '*) exit ;;
          *' -f pay '*' exec:exec '*) cd pay && exec '%s' --enable-native-access=ALL-UNNAMED -cp '%s' src/main/java/Pay.java ;;
        esac
        echo "no such build: $*" >&2
        exit 1
        """
            .formatted(TestProcess.tool("java"), JavaProgram.classPath()));
    // Behind the machine's own java, if it has one.
    String path =
        "%s:%s:%s"
            .formatted(tools, System.getenv("PATH"), Path.of(TestProcess.tool("java")).getParent());

    List<PastedBlock> all = PastedBlock.of(PAGE);
    String spring =
        all.stream()
            .filter(block -> block.commands().contains("spring-boot:run"))
            .findFirst()
            .orElseThrow()
            .chapter();
    List<PastedBlock> quick = all.stream().filter(it -> !it.chapter().equals(spring)).toList();
    paste(quick, checkout, Map.of("PATH", path), Patience.LIMIT);
  }

  /** All of it, on a copy of the sources, with the machine's own Java and Maven. */
  @Test
  @Tag("proof")
  void worksFromAFreshCopyOfTheSources(TestReporter reporter) throws IOException {
    Path checkout = ProjectRoot.copyTo(folder.resolve("sources"));
    Path repository = MavenRepository.withoutOurs(folder.resolve("repository"));
    Map<String, String> environment =
        Map.of("JAVA_HOME", "", "MAVEN_OPTS", "-Dmaven.repo.local=" + repository);

    List<PastedBlock> all = PastedBlock.of(PAGE);
    paste(all, checkout, environment, BUILDS);
    reporter.publishEntry("blocks", Integer.toString(all.size()));
  }

  private void paste(
      List<PastedBlock> blocks, Path checkout, Map<String, String> environment, Duration limit) {
    Map<String, String> all = new HashMap<>(environment);
    all.put("TMPDIR", folder.toString());
    assertThat(blocks).hasSizeGreaterThan(10);
    SoftAssertions found = new SoftAssertions();
    try (PastedShell shell = PastedShell.in(checkout, all)) {
      for (PastedBlock block : blocks) {
        String commands = withFreePorts(block.commands());
        found
            .assertThat(lasting(shell.paste(commands, limit)))
            .as("%s line %d:%n%s", PAGE.name(), block.line(), commands)
            .isEqualTo(lasting(withFreePorts(block.printed())));
      }
    }
    found.assertAll();
  }

  private String withFreePorts(String text) {
    String replaced = text;
    for (Map.Entry<String, String> port : freePorts.entrySet()) {
      replaced = replaced.replaceAll("\\b" + port.getKey() + "\\b", port.getValue());
    }
    return replaced;
  }

  /**
   * The part of the output that is equal in every run. Left out: colours (Maven prints some), the
   * launcher's lines about its build, and bash's lines about jobs that were killed. Replaced:
   * times, the rest of a retention, random ids, hosts with process ids, folders and sizes of
   * stores, the bars of the last day, and the width of columns.
   */
  private static String lasting(String printed) {
    return printed
        .replaceAll("\\e\\[[\\d;]*m", "")
        .lines()
        .filter(line -> !line.matches("(building|built) Semel\\b.*|\\[\\d+/\\d+] \\S+"))
        .filter(line -> !line.matches("bash: line \\d+: +\\d+ Killed .*"))
        .map(TutorialTest::lastingLine)
        .collect(Collectors.joining("\n"));
  }

  private static String lastingLine(String line) {
    return line.replaceAll("\\b\\d+(\\.\\d+)?(ms|d|h|m|s)(\\d+(h|m|s))?\\b", "TIME")
        .replaceAll("(Idempotency-Retention:) \\d+", "$1 SECONDS")
        .replaceAll("\\b\\p{XDigit}{8}(-\\p{XDigit}{4}){3}-\\p{XDigit}{12}\\b", "ID")
        .replaceAll("\\bby [\\w.-]+/\\d+", "by HOST/PROCESS")
        .replaceAll("sqlite:/\\S*/", "sqlite:FOLDER/")
        .replaceAll("\\b[\\d.]+ [KM]iB\\b", "SIZE")
        .replaceAll("[·▁▂▃▄▅▆▇█]{24}", "HOURS")
        .replaceAll(" +", " ")
        .stripTrailing();
  }

  /** It shows less of the same demo. */
  @Test
  void readmeShowsPartsOfWhatTheDemoPrints() {
    String title = "double-click: a payment button, pressed twice";
    List<String> demo = PastedBlock.of(PAGE).getFirst().printed().lines().toList();
    List<String> shown =
        Book.page("README.md").fences().stream()
            .map(Page.Fence::lines)
            .filter(lines -> lines.contains(title))
            .flatMap(List::stream)
            .filter(line -> !line.startsWith("$ ") && !line.strip().equals("…"))
            .toList();
    assertThat(demo).containsSubsequence(shown);
    assertThat(shown).hasSizeGreaterThan(5);
  }

  @Test
  void scriptsThatReadmeRunsAreThere() {
    List<String> scripts =
        Book.page("README.md").fences().stream()
            .flatMap(fence -> fence.lines().stream())
            .map(line -> line.replaceFirst("^\\$ ", ""))
            .filter(line -> line.startsWith("./"))
            .map(line -> line.split(" ", 2)[0])
            .toList();
    assertThat(scripts)
        .contains("./semel")
        .allMatch(it -> Files.isExecutable(Book.ROOT.resolve(it)));
  }
}
