package dev.semel.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

class TestProcessTest {
  /** Says what it was given, then what it reads. */
  static final class Echo {
    private Echo() {}

    public static void main(String[] arguments) throws IOException {
      System.out.println(String.join(" ", arguments));
      System.in.transferTo(System.out);
    }
  }

  private static TestProcess echo(String... arguments) {
    return TestProcess.start(TestProcess.java(TestProcess.SMALL, Echo.class, arguments));
  }

  @Test
  void aJvmLikeThisOneIsStartedAndHeard() throws Exception {
    try (TestProcess echo = echo("größe", "18")) {
      assertThat(echo.awaitLine("gr.*")).isEqualTo("größe 18");
      echo.input().write("more\nand".getBytes(StandardCharsets.UTF_8));
      echo.input().flush();
      assertThat(echo.awaitLine("more")).isEqualTo("more");
      echo.input().close();
      assertThat(echo.await()).isZero();
      assertThat(echo.output()).endsWith("more\nand");
    }
  }

  @Test
  void itIsGoneWhenItIsClosed() {
    TestProcess echo = echo("here");
    assertThat(echo.isAlive()).isTrue();
    echo.close();
    assertThat(ProcessHandle.of(echo.pid()).filter(ProcessHandle::isAlive)).isEmpty();
  }

  @Test
  void oneThatEndsBadlySaysWhy() {
    assertThatThrownBy(() -> TestProcess.run("sh", "-c", "echo no room >&2; exit 3"))
        .isInstanceOf(AssertionError.class)
        .hasMessageContaining("sh ended with 3")
        .hasMessageContaining("no room");
    try (TestProcess silent = TestProcess.start(List.of("true"))) {
      assertThatThrownBy(() -> silent.awaitLine("ready")).hasMessageContaining("true ended with 0");
    }
    assertThat(TestProcess.run("echo", "fine")).isEqualTo("fine\n");
  }
}
