package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** Answers commands one after the other, until the suite asks for the end or the input ends. */
public final class ClientAdapter {
  private final InputLines lines;
  private final PrintStream out;
  private final String version;

  /**
   * @param out receives nothing but answers
   * @param version the client's version, for the suite
   */
  public ClientAdapter(InputStream in, PrintStream out, String version) {
    this.lines = new InputLines(in);
    this.out = out;
    this.version = version;
  }

  /**
   * Ends with the input, after {@code shutdown}, or when the answers have no reader any more.
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
        // Json escapes other line separators, such as U+2028.
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
