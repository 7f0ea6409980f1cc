package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.prove.MessageFlow;
import dev.semel.cli.prove.ProofBroker;
import dev.semel.cli.prove.ProofDatabase;
import dev.semel.cli.prove.ProofStreams;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonArray;
import dev.semel.json.JsonValue.JsonBoolean;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.proof.FlowVerdict;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.FlowProof;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Proofs of messages and streams that need no server but the proof's own. */
class ProvePartsTest {
  @TempDir Path folder;

  @Test
  @Tag("proof")
  void messagesAndStreamsHoldWhileProcessesAreKilledAndLeaveNothingBehind() throws IOException {
    Path journal = Files.createDirectory(folder.resolve("journal"));
    Cli.Result result = holds("kill");

    assertThat(result.out()).contains("\"part\":\"messages\"", "\"part\":\"streams\"");
    assertThat(Files.readString(folder.resolve("semel-proof.html")))
        .contains("All 2 parts held", "<article id=\"messages\">", "<article id=\"streams\">")
        .contains("When faults happened");
    assertThat(journal).isEmptyDirectory();
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files.map(Path::getFileName).map(Path::toString))
          .noneMatch(name -> name.startsWith("shop.db"));
    }
  }

  @Test
  @Tag("proof")
  void messagesAndStreamsHoldWhileWaysAreCut() {
    assertThat(holds("cut").out()).contains("\"way\":\"broker\"", "\"way\":\"server\"");
    assertThat(folder.resolve("journal")).as("it was not there before").doesNotExist();
  }

  private Cli.Result holds(String fault) {
    Cli.Result result =
        new Cli(folder)
            .call(
                "prove",
                "--database",
                "sqlite:shop.db",
                "--streams",
                "journal:journal",
                "--seconds",
                "6",
                "--workers",
                "2",
                "--seed",
                "1",
                "--faults",
                fault,
                "-o",
                "json");

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.err()).isEmpty();
    assertThat(result.json().get("proved")).contains(new JsonBoolean(true));
    JsonArray parts = (JsonArray) result.json().get("parts").orElseThrow();
    assertThat(parts.items())
        .hasSize(2)
        .allSatisfy(
            part ->
                assertThat(((JsonObject) part).get("faults").map(Json::write).orElse(""))
                    .contains("\"fault\":\"" + fault + "\""));
    return result;
  }

  @Test
  @Tag("proof")
  void consumerWithoutAnInboxIsFoundOut() throws IOException {
    Path notes = Files.createDirectory(folder.resolve("notes"));
    ProofPlan plan = new ProofPlan(Duration.ofSeconds(3), List.of(ProcessFault.KILL), 1, 1, false);
    ProofStreams server = ProofStreams.of("journal:journal", folder, "test", 1, false);
    FlowVerdict verdict;
    try (MessageFlow flow =
        new MessageFlow(
            ProofDatabase.create("sqlite:shop.db", folder, "test", false),
            new ProofBroker(server.addresses().get(0), "test", ""),
            Optional.of(server),
            CarelessWorker.class)) {
      verdict = new FlowProof(plan, notes, ProofProgress.UNWATCHED).run(flow);
    }

    assertThat(verdict.broken()).isTrue();
    assertThat(verdict.promises().get("none takes effect twice")).isPositive();
    assertThat(verdict.judgement().examples().get(0).notes())
        .filteredOn(note -> note.what().equals("effect"))
        .hasSizeGreaterThan(1);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--broker nats://127.0.0.1|name the database with --database",
        "--database redis://127.0.0.1|outbox and inbox are tables",
        "--database sqlite:x.db --broker smtp://127.0.0.1|no scheme that is known here",
        "--database sqlite:nowhere/x.db|there is no folder",
        "--streams memory:|nothing to prove",
        "--streams ftp://x|there are no streams",
        "--streams journal:x --store ftp://x|there is no store",
        "--streams journal:x --database sqlite:x.db --seconds 1|2 parts need a second each",
        "--streams journal:x --faults flood|there is no fault"
      })
  void whatMakesNoSenseIsSaidBeforeAnythingIsDone(String arguments, String message)
      throws IOException {
    Cli.Result result = new Cli(folder).call(("prove " + arguments).split(" ", -1));

    assertThat(result.code()).as(result.err()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains(message);
    try (Stream<Path> files = Files.list(folder)) {
      assertThat(files).isEmpty();
    }
  }

  @ParameterizedTest
  @CsvSource({
    "--database, postgresql://nobody@127.0.0.1:1/none",
    "--streams, http://127.0.0.1:1",
    "--streams, nats://127.0.0.1:1"
  })
  void whatCanNotBeReachedIsSaid(String option, String url) {
    assertThat(new Cli(folder).call("prove", option, url, "--seconds", "1").code())
        .isEqualTo(ExitCode.UNREACHABLE);
  }
}
