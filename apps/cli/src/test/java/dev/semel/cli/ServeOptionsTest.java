package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Settings that keep a server from listening. */
class ServeOptionsTest {
  @TempDir Path folder;

  private Cli.Result serve(String... more) {
    String[] args = new String[more.length + 5];
    System.arraycopy(new String[] {"serve", "--port", "0", "--streams", "memory:"}, 0, args, 0, 5);
    System.arraycopy(more, 0, args, 5, more.length);
    return new Cli(folder).call(args);
  }

  @Test
  void storeThatIsAwayIsSaidBeforeAnyoneIsListenedTo() throws Exception {
    String away;
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      away = "redis://:very-secret@127.0.0.1:" + taken.getLocalPort();
    }
    Cli.Result result = serve("--store", away);
    assertThat(result.code()).isEqualTo(ExitCode.UNREACHABLE);
    assertThat(result.err()).doesNotContain("very-secret", "serving");
  }

  @Test
  void databaseIsOneThatCanHaveAnOutbox() {
    Cli.Result result = serve("--store", "memory:", "--database", "redis://127.0.0.1:1");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("--database postgresql://").doesNotContain("serving");
  }

  @Test
  void othersThanThisMachineNeedAToken() {
    Cli.Result result = serve("--store", "memory:", "--host", "0.0.0.0");
    assertThat(result.code()).isEqualTo(ExitCode.USAGE);
    assertThat(result.err()).contains("token").doesNotContain("serving");
  }
}
