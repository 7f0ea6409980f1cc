package dev.semel.testservices;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class FreePortsTest {
  /** As many as the servers of many tests that start at once ask for, before any of them binds. */
  @Test
  void nobodyGetsThePortOfAnother() {
    List<Integer> ports =
        IntStream.range(0, 500).parallel().mapToObj(i -> FreePorts.free()).toList();

    assertThat(ports).doesNotHaveDuplicates().allMatch(port -> port >= 10_000 && port < 32_000);
  }
}
