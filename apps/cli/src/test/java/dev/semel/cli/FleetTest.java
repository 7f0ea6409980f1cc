package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Runs alone, because it counts the children of this process. */
@Tag("proof")
@Isolated
class FleetTest {
  @TempDir Path folder;

  private static Set<Long> children() {
    return ProcessHandle.current().children().map(ProcessHandle::pid).collect(Collectors.toSet());
  }

  /** A journal has one server, so the second one can't start. */
  @Test
  void startThatFailsLeavesNoServerBehind() {
    Set<Long> before = children();
    String journal = "journal:" + folder.resolve("streams");

    assertThatThrownBy(() -> new Fleet(folder, 2, "/readyz", "serve", "--streams", journal).close())
        .isInstanceOf(AssertionError.class);

    assertThat(children()).isSubsetOf(before);
  }
}
