package dev.semel.server.client;

import dev.semel.stream.client.StreamClient;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** Runs the client's contract on each kind of server. */
@Tag("service")
class StreamClientTest {
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnMemory implements ClientContract {
    private final StreamClient client = StreamClient.create();
    private final AnyServer server = AnyServer.memory(AnyServer.settings());

    @Override
    public AnyServer server() {
      return server;
    }

    @Override
    public StreamClient client() {
      return client;
    }

    @AfterAll
    void stop() {
      client.close();
      server.close();
    }
  }

  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnJournal implements ClientContract {
    private final StreamClient client = StreamClient.create();
    private AnyServer server;

    @BeforeAll
    void start(@TempDir Path folder) {
      server = AnyServer.journal(folder);
    }

    @Override
    public AnyServer server() {
      return server;
    }

    @Override
    public StreamClient client() {
      return client;
    }

    @AfterAll
    void stop() {
      client.close();
      server.close();
    }
  }

  /** The public server, which we can't change. */
  @Nested
  @TestInstance(TestInstance.Lifecycle.PER_CLASS)
  class OnNode implements ClientContract {
    private final StreamClient client = StreamClient.create();
    private AnyServer server;

    @BeforeAll
    void start() throws Exception {
      server = AnyServer.node();
    }

    @Override
    public AnyServer server() {
      return server;
    }

    @Override
    public StreamClient client() {
      return client;
    }

    @AfterAll
    void stop() {
      client.close();
      server.close();
    }
  }
}
