package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The state of a command whose {@code semel run} dies with {@code kill -9}. */
class KilledRunTest {
  @TempDir Path folder;
  private Path pids;
  private Path ready;
  private final List<Long> stray = new ArrayList<>();

  @BeforeEach
  void name() {
    pids = folder.resolve("pids");
    ready = folder.resolve("ready");
  }

  @AfterEach
  void leaveNothing() throws IOException {
    stray.addAll(pids());
    stray.forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));
  }

  /** The process, a child, and a grandchild whose parent has ended. */
  private String family() {
    return """
        echo $$ > '%1$s'
        sleep 600 & echo $! >> '%1$s'
        (sleep 600 & echo $! >> '%1$s')
        touch '%2$s'
        wait"""
        .formatted(pids, ready);
  }

  private static String[] run(String... words) {
    return runWith(List.of("--lease", "300ms", "--takeover", "run-again"), words);
  }

  private static String[] runWith(List<String> flags, String... words) {
    List<String> all = new ArrayList<>(List.of("run", "--key", "a", "--fingerprint", "none"));
    all.addAll(flags);
    all.addAll(Arrays.asList(words));
    return all.toArray(String[]::new);
  }

  private List<Long> pids() throws IOException {
    return Files.exists(pids)
        ? Files.readAllLines(pids).stream().map(Long::parseLong).toList()
        : List.of();
  }

  /** An ended process may remain long, if no parent collects it. */
  private static boolean lives(long pid) {
    return ProcessHandle.of(pid)
        .filter(ProcessHandle::isAlive)
        .filter(each -> each.info().command().isPresent())
        .isPresent();
  }

  private SemelProcess running() {
    SemelProcess run = SemelProcess.start(folder, run("--", "sh", "-c", family()));
    await().until(() -> Files.exists(ready));
    return run;
  }

  /** The command continues, and nobody is left to end it. */
  private long orphaned() throws Exception {
    SemelProcess run = running();
    long command = pids().get(0);
    await().until(() -> watcher(command).isPresent());
    watcher(command).orElseThrow().destroyForcibly();
    await().until(() -> watcher(command).isEmpty());
    run.kill();
    assertThat(lives(command)).isTrue();
    return command;
  }

  private static Optional<ProcessHandle> watcher(long command) {
    return ProcessHandle.allProcesses()
        .filter(
            each ->
                each.info()
                    .arguments()
                    .map(Arrays::asList)
                    .filter(words -> words.contains("semel-watch"))
                    .filter(words -> words.contains(Long.toString(command)))
                    .isPresent())
        .findFirst();
  }

  @Test
  void commandChildAndGrandchildDieWithIt() throws Exception {
    SemelProcess run = running();
    assertThat(pids()).hasSize(3).allMatch(KilledRunTest::lives);

    run.kill();

    await().until(() -> pids().stream().noneMatch(KilledRunTest::lives));
  }

  @Test
  void runThatTakesOverMeetsNoCommandOfTheFirst() throws Exception {
    SemelProcess first = running();
    long command = pids().get(0);

    first.kill();
    String look =
        "case $(ps -o stat= -p %d) in '' | Z*) echo alone ;; *) echo beside ;; esac"
            .formatted(command);
    Cli.Result second =
        SemelProcess.start(folder, run("--wait", "1m", "--", "sh", "-c", look)).await();

    assertThat(second.err()).contains("taken over");
    assertThat(second.out()).isEqualTo("alone\n");
  }

  @Test
  void commandThatLivesOnIsNotRunBesideAndIsNamed() throws Exception {
    long command = orphaned();
    await()
        .until(
            () ->
                new Cli(folder)
                    .call("keys", "inspect", "a", "-o", "json")
                    .out()
                    .contains("in_doubt"));

    Cli.Result second = new Cli(folder).call(run("--", "echo", "ran"));

    assertThat(second.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(second.out()).isEmpty();
    assertThat(second.err()).contains("still runs", "process " + command, "/" + command);
    Cli.Result unsure = new Cli(folder).call(runWith(List.of(), "--", "true"));
    assertThat(unsure.err()).contains("in doubt", "process " + command);
    Cli.Result asked = new Cli(folder).typing("n\n").call("keys", "release", "a");
    assertThat(asked.err()).contains("still runs", "process " + command);
  }

  @Test
  void waitingRunWaitsForTheWholeGroupOfTheCommand() throws Exception {
    long command = orphaned();
    try (RunningCommand second = new Cli(folder).start(run("--wait", "5m", "--", "echo", "ran"))) {
      ProcessHandle.of(command).orElseThrow().destroyForcibly();
      await().until(() -> !lives(command));
      assertThat(second.outSoFar()).isEmpty();

      pids().forEach(pid -> ProcessHandle.of(pid).ifPresent(ProcessHandle::destroyForcibly));

      assertThat(second.await().out()).isEqualTo("ran\n");
    }
  }

  @Test
  void keyInFlightSaysWhereItRuns() throws Exception {
    SemelProcess first =
        SemelProcess.start(
            folder, runWith(List.of("--request-id", "mine"), "--", "sh", "-c", family()));
    await().until(() -> Files.exists(ready));

    Cli.Result second = new Cli(folder).call(run("--", "true"));
    Cli.Result shown = new Cli(folder).call("keys", "inspect", "a", "-o", "json");

    assertThat(second.code()).isEqualTo(ExitCode.CONFLICT);
    assertThat(second.err())
        .containsPattern("claimed .* by \\S+/" + pids().get(0) + ", request mine");
    assertThat(shown.out())
        .contains("\"request_id\":\"mine\"")
        .containsPattern("\"claimed_by\":\"[^\"]+/" + pids().get(0) + "@");
    first.kill();
  }

  /** As on a terminal: the command stays in the caller's group, with others. */
  @Test
  void othersOfASharedGroupLiveOn() throws Exception {
    Path tools = Files.createDirectory(folder.resolve("tools"));
    for (String tool : List.of("sh", "sleep", "touch", "true")) {
      Files.createSymbolicLink(tools.resolve(tool), tool(tool));
    }
    Path other = folder.resolve("other");
    String before = "sleep 600 & echo $! > '%s'; exec \"$@\"".formatted(other);
    SemelProcess run =
        SemelProcess.behind(
            List.of(tool("setsid").toString(), "/bin/sh", "-c", before, "sh"),
            folder,
            Map.of("PATH", tools.toString()),
            run("--", "sh", "-c", family()));
    await().until(() -> Files.exists(ready));
    long sibling = Long.parseLong(Files.readString(other).strip());
    stray.add(sibling);

    run.kill();

    await().until(() -> pids().stream().noneMatch(KilledRunTest::lives));
    assertThat(lives(sibling)).isTrue();
  }

  private static Path tool(String name) {
    return Arrays.stream(System.getenv("PATH").split(":"))
        .map(each -> Path.of(each, name))
        .filter(Files::isExecutable)
        .findFirst()
        .orElseThrow();
  }

  @Test
  void whatACommandLeavesBehindLivesOnWhenItEndedByItself() throws Exception {
    SemelProcess run =
        SemelProcess.start(
            folder, run("--", "sh", "-c", "sleep 600 >/dev/null 2>&1 & echo $! > '" + pids + "'"));

    assertThat(run.await().code()).isZero();

    assertThat(pids()).hasSize(1).allMatch(KilledRunTest::lives);
  }

  @Test
  void commandHasTheCallersEnvironmentAndNothingElse() throws Exception {
    Map<String, String> odd = Map.of("a.b", "1", "BASH_FUNC_f%%", "() {  :\n}");

    Cli.Result result =
        SemelProcess.piped(folder, odd, "run", "--key", "a", "--", "/usr/bin/env").await();

    assertThat(result.out()).contains("a.b=1\n", "BASH_FUNC_f%%=() {  :\n}\n", "SEMEL_ATTEMPT=1\n");
    assertThat(result.out().lines().map(line -> line.replaceFirst("=.*", "")))
        .allMatch(
            name ->
                System.getenv().containsKey(name)
                    || name.startsWith("SEMEL_")
                    || name.equals("LC_ALL")
                    || name.equals("a.b")
                    || name.startsWith("BASH_FUNC_f")
                    || name.equals("}"));
  }

  @Test
  void commandWhoseInterpreterIsMissingGivesItsKeyBack() throws Exception {
    Path script = Files.writeString(folder.resolve("script"), "#!/no/such/interpreter\n");
    assertThat(script.toFile().setExecutable(true)).isTrue();

    Cli.Result result = new Cli(folder).call("run", "--key", "a", "--", script.toString());

    assertThat(result.code()).isEqualTo(ExitCode.NOT_EXECUTABLE);
    assertThat(result.err()).contains("given back");
    assertThat(new Cli(folder).call("keys", "inspect", "a", "-o", "json").out())
        .contains("\"released\"");
  }
}
