package dev.semel.cli.serve;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.cli.Environment;
import dev.semel.cli.ExitCode;
import dev.semel.cli.SemelCommand;
import dev.semel.cli.ShutdownSignal;
import dev.semel.cli.StandardStreams;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.JobQueues;
import dev.semel.json.Json;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Streams;
import dev.semel.tck.LoopWatch;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What becomes known of the loop that removes expired streams, when it fails. */
final class SweepLoopTest {
  @TempDir Path folder;

  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  /** Stops when it was told. */
  private record StopsWhen(LoopWatch watch) implements ShutdownSignal {
    @Override
    public int await(Runnable ready, Stop stop) {
      ready.run();
      try {
        // The line goes to whoever turned the command's log on last in this process.
        Awaitility.await().untilAsserted(watch::assertCounted);
      } finally {
        int unused = stop.stop(false);
      }
      return ExitCode.OK;
    }

    @Override
    public void abort(int code) {
      throw new UnsupportedOperationException("nothing ends at once here");
    }
  }

  private static Streams unswept() {
    Streams real = new MemoryStreams(InstantSource.system());
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          if (method.getName().equals("sweep")) {
            throw new IllegalStateException("a bug in sweep");
          }
          return method.invoke(real, arguments);
        };
    return (Streams)
        Proxy.newProxyInstance(
            Streams.class.getClassLoader(), new Class<?>[] {Streams.class}, handler);
  }

  @Test
  void streamsThatCanNotBeSweptAreTold() throws Exception {
    PrintStream printed = new PrintStream(err, true, StandardCharsets.UTF_8);
    StandardStreams streams =
        new StandardStreams(new ByteArrayInputStream(new byte[0]), printed, printed, "");
    Map<String, String> environment = Map.of("SEMEL_STORE", "memory:", "HOME", folder.toString());
    try (LoopWatch watch = LoopWatch.of("semel-sweep")) {
      Environment around = new Environment(environment, folder, streams, new StopsWhen(watch));
      SemelCommand semel = SemelCommand.line(around, JobQueues.KNOWN, "serve").getCommand();
      try (ServerWatch watching =
          ServerWatch.start(semel, new AlertOptions(), "memory:", new DatabaseOption())) {
        RunningServer service = new RunningServer(semel, unswept(), watching, folder);
        int code =
            service.run(
                dev.semel.server.ServerSettings.defaults().withAddress("127.0.0.1", 0),
                "nowhere",
                Json.object().build(),
                new CompletableFuture<>());
        assertThat(code).isEqualTo(ExitCode.OK);
      }
    }
    assertThat(err.toString(StandardCharsets.UTF_8))
        .contains("expired streams could not be removed");
  }
}
