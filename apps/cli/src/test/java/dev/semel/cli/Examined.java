package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.json.Json;
import dev.semel.json.JsonValue;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.json.internal.FieldPath;
import java.io.BufferedReader;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PipedInputStream;
import java.io.PipedOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** {@code semel client-adapter} in this process, and a suite that examines it. */
final class Examined implements AutoCloseable {
  private static final int PIPE_BYTES = 8 << 20;

  private final PrintStream commands;
  private final BufferedReader answers;
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final CompletableFuture<Integer> code;

  Examined(Path folder) throws IOException {
    PipedInputStream in = new PipedInputStream(PIPE_BYTES);
    PipedInputStream out = new PipedInputStream(PIPE_BYTES);
    PrintStream told = new PrintStream(new PipedOutputStream(out), false, StandardCharsets.UTF_8);
    commands = new PrintStream(new PipedOutputStream(in), true, StandardCharsets.UTF_8);
    answers = new BufferedReader(new InputStreamReader(out, StandardCharsets.UTF_8));
    PrintStream errors = new PrintStream(err, true, StandardCharsets.UTF_8);
    Environment around =
        new Environment(Map.of(), folder, new StandardStreams(in, told, errors, ""));
    code =
        CompletableFuture.supplyAsync(
            () -> {
              int ended = SemelCommand.execute(around, "client-adapter");
              told.close();
              return ended;
            },
            Executors.newVirtualThreadPerTaskExecutor());
  }

  /** Single quotes stand for double ones. */
  Answer ask(String command) throws IOException {
    return askRaw(command.replace('\'', '"'));
  }

  Answer askRaw(String line) throws IOException {
    commands.print(line + "\n");
    commands.flush();
    String answer = answers.readLine();
    assertThat(answer).isNotNull();
    return new Answer((JsonObject) Json.parse(answer));
  }

  /** Sends a command that must succeed. */
  Answer done(String command) throws IOException {
    Answer answer = ask(command);
    assertThat(answer.get("success")).as(answer.toString()).isEqualTo("true");
    return answer;
  }

  /** The exit code after the end of its input. */
  int ended() throws InterruptedException, ExecutionException, TimeoutException {
    commands.close();
    return code.get(30, TimeUnit.SECONDS);
  }

  /** Whether there is no further answer. */
  boolean silent() throws IOException {
    return answers.readLine() == null;
  }

  String err() {
    return err.toString(StandardCharsets.UTF_8);
  }

  @Override
  public void close() {
    commands.close();
  }

  /** One answer. */
  record Answer(JsonObject json) {
    /** A member as text, {@code -} if it is not there. */
    String get(String path) {
      JsonValue value = FieldPath.parse(path).in(json).orElse(null);
      if (value == null) {
        return "-";
      }
      return value instanceof JsonString s ? s.text() : Json.write(value);
    }

    @Override
    public String toString() {
      return Json.write(json);
    }
  }
}
