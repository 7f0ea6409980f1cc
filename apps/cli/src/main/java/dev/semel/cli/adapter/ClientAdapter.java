package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Answers commands one after the other, until it is told to stop or there are no more. */
public final class ClientAdapter {
  private final InputLines lines;
  private final PrintStream out;
  private final String version;

  /**
   * @param out nothing but answers is written to it
   * @param version of the client, as it is told to whoever examines it
   */
  public ClientAdapter(InputStream in, PrintStream out, String version) {
    this.lines = new InputLines(in);
    this.out = out;
    this.version = version;
  }

  /**
   * Ends when the input does, after {@code shutdown}, or when nobody reads the answers any more.
   *
   * @throws IOException the input can't be read
   */
  public void run() throws IOException {
    try (AdapterCommands commands = new AdapterCommands(version)) {
      while (!commands.over() && !out.checkError()) {
        Optional<JsonObject> answer = next(commands);
        if (answer.isEmpty()) {
          return;
        }
        // Other ends of lines than ours, such as U+2028, are escapes in what Json writes.
        out.print(Json.write(answer.get()) + "\n");
        out.flush();
      }
    }
  }

  /** Empty: there are no more commands. */
  private Optional<JsonObject> next(AdapterCommands commands) throws IOException {
    try {
      while (true) {
        Optional<byte[]> line = lines.next();
        if (line.isEmpty()) {
          return Optional.empty();
        }
        if (!new String(line.get(), StandardCharsets.UTF_8).isBlank()) {
          return Optional.of(commands.answer(line.get()));
        }
      }
    } catch (InvalidInput e) {
      return Optional.of(AdapterFailures.badLine(e));
    }
  }
}
