package dev.semel.cli.tui;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Cli;
import dev.semel.cli.ExitCode;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TuiCommandTest {
  @TempDir Path folder;

  @Test
  void withoutATerminalItSaysWhatToUseInstead() {
    Cli.Result result = new Cli(folder).call("tui");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("needs a terminal", "semel stats", "--snapshot");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void snapshotIsAPictureOfWhatIsThere() throws Exception {
    Cli cli = new Cli(folder);
    assertThat(cli.call("run", "--key", "payments:a<b>&c", "--", "true").code()).isZero();
    Cli.Result result = cli.call("tui", "--snapshot", "center.svg", "--size", "120x30");
    assertThat(result.code()).as(result.err()).isZero();
    Path file = folder.resolve("center.svg");
    assertThat(file).content().contains("a&lt;b&gt;&amp;c", "Deduplication");
    assertThat(
            DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(file.toFile())
                .getDocumentElement()
                .getTagName())
        .isEqualTo("svg");
  }

  @Test
  void whatIsWrongIsSaidBeforeAnythingIsWritten() {
    Cli cli = new Cli(folder);
    for (String[] words :
        new String[][] {
          {"tui", "--snapshot", "a.svg", "--size", "wide"},
          {"tui", "--snapshot", "a.svg", "--panel", "nothing"},
          {"tui", "--snapshot", "a.svg", "--theme", "pink"},
          {"tui", "-o", "json"}
        }) {
      assertThat(cli.call(words).code()).isEqualTo(ExitCode.USAGE);
    }
    assertThat(Files.exists(folder.resolve("a.svg"))).isFalse();
  }

  @Test
  void storeThatIsAwayIsNoPicture() {
    Cli.Result result =
        new Cli(folder).with("SEMEL_URL", "http://127.0.0.1:9").call("tui", "--snapshot", "a.svg");
    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(Files.exists(folder.resolve("a.svg"))).isFalse();
  }
}
