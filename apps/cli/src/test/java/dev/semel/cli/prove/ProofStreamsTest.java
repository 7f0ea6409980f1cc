package dev.semel.cli.prove;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProofStreamsTest {
  @TempDir Path folder;

  /** Creates the folder like its server. */
  private Path begun(String run) throws IOException {
    Path own = folder.resolve("new/streams/semel-prove-" + run);
    return Files.writeString(Files.createDirectories(own).resolve("0.log"), "x");
  }

  private ProofStreams streams(String run, boolean keep) {
    return ProofStreams.of("journal:new/streams", folder, run, 1, keep);
  }

  @Test
  void foldersThatNobodyHadAreRemoved() throws IOException {
    ProofStreams streams = streams("a", false);
    assertThat(begun("a")).exists();

    streams.close();

    assertThat(folder).isEmptyDirectory();
  }

  @Test
  void foldersThatOthersUseMeanwhileStay() throws IOException {
    ProofStreams streams = streams("a", false);
    assertThat(begun("a")).exists();
    Path others = begun("b");

    streams.close();

    assertThat(others).exists();
    assertThat(folder.resolve("new/streams/semel-prove-a")).doesNotExist();
  }

  @Test
  void folderThatWasThereStays() throws IOException {
    Path there = Files.createDirectories(folder.resolve("new/streams"));
    ProofStreams streams = streams("a", false);
    assertThat(begun("a")).exists();

    streams.close();

    assertThat(there).isEmptyDirectory();
  }

  @Test
  void whatIsKeptStays() throws IOException {
    ProofStreams streams = streams("a", true);
    Path kept = begun("a");

    streams.close();

    assertThat(kept).exists();
  }
}
