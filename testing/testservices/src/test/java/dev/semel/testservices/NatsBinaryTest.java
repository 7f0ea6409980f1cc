package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class NatsBinaryTest {
  @TempDir Path folder;

  @Test
  void serversOlderThanTheFirstSafeOneAreNotTaken() {
    assertThat(NatsBinary.newEnough("nats-server: v2.10.27")).isTrue();
    assertThat(NatsBinary.newEnough("nats-server: v2.9.10")).isFalse();
    assertThat(NatsBinary.newEnough("nats-server: v3.0.0")).isTrue();
    assertThat(NatsBinary.newEnough("")).isFalse();
  }

  @Test
  void aNamedFileThatIsNoServerIsRefused() {
    assertThatThrownBy(() -> NatsBinary.named(folder.resolve("none")))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining(NatsBinary.VARIABLE);
  }

  @Test
  void aPathWithoutAServerGivesNone() {
    assertThat(NatsBinary.onPath(folder.toString())).isEmpty();
    assertThat(NatsBinary.onPath(null)).isEmpty();
  }

  @Test
  void theMachinesOwnSourceIsTakenWithTheOtherSuite() throws IOException {
    Path parts = Files.createDirectories(folder.resolve("sources.list.d"));
    Files.writeString(
        parts.resolve("debian.sources"),
        """
        Types: deb
        URIs: file:/security
        Suites: bookworm-security
        Components: main

        Types: deb
        URIs: file:/main
        Suites: bookworm bookworm-updates
        Components: main
        Signed-By: /some/key.gpg
        """);
    assertThat(DebianPackage.entry(folder, "bookworm", "trixie"))
        .contains(
            new DebianPackage.Entry(
                "suite.sources",
                """
                Types: deb
                URIs: file:/main
                Suites: trixie
                Components: main
                Signed-By: /some/key.gpg

                """));
    assertThat(DebianPackage.entry(folder, "forky", "trixie")).isEmpty();
  }

  @Test
  void theOlderFormOfASourceIsTakenToo() throws IOException {
    Files.writeString(
        folder.resolve("sources.list"),
        """
        # deb file:/none bookworm main
        deb file:/security bookworm-security main
        deb [signed-by=/some/key.gpg] file:/main bookworm main contrib
        """);
    assertThat(DebianPackage.entry(folder, "bookworm", "trixie"))
        .contains(
            new DebianPackage.Entry(
                "suite.list", "deb [signed-by=/some/key.gpg] file:/main trixie main\n"));
  }
}
