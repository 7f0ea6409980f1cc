package dev.semel.endtoend;

import dev.semel.tck.messages.TransportContract;
import dev.semel.tck.messages.TransportUnderTest;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

@Tag("service")
final class StreamTransportContractTest extends TransportContract {
  @SuppressWarnings("NullAway.Init")
  private static StreamsUnderTest underTest;

  @BeforeAll
  static void start(@TempDir Path folder) {
    underTest = new StreamsUnderTest(folder);
  }

  @AfterAll
  static void stop() {
    underTest.close();
  }

  @Override
  protected TransportUnderTest underTest() {
    return underTest;
  }
}
