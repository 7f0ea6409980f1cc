package dev.semel.cli;

import dev.semel.cli.connect.JobQueues;
import dev.semel.job.spi.JobQueue;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** The command in this process, with streams and an environment that a test can inspect. */
public final class Cli {
  private final Path folder;
  private final Map<String, String> environment = new HashMap<>();
  private JobQueues queues = JobQueues.KNOWN;
  private String in = "";
  private String terminals = "";

  /** Exit code and output of a call. */
  @SuppressWarnings("ArrayRecordComponent")
  public // never compared
  record Result(int code, byte[] outBytes, String err) {
    public String out() {
      return new String(outBytes, StandardCharsets.UTF_8);
    }

    public JsonObject json() {
      return (JsonObject) Json.parse(outBytes);
    }
  }

  /** Uses the folder as current folder, with a data folder in it. */
  public Cli(Path folder) {
    this.folder = folder;
    environment.put("PATH", System.getenv("PATH"));
    environment.put("HOME", folder.resolve("home").toString());
    environment.put("SEMEL_DATA", folder.resolve("data").toString());
  }

  public Cli with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  /** Gives every store this queue, which lives longer than a call. */
  public Cli withJobs(JobQueue queue) {
    queues = store -> Optional.of(queue);
    return this;
  }

  public Cli withoutJobs() {
    queues = store -> Optional.empty();
    return this;
  }

  /** Simulates a terminal on which this is typed. */
  public Cli typing(String text) {
    in = text;
    terminals = "02";
    return this;
  }

  /** All three streams are a terminal. */
  public Cli onTerminal() {
    terminals = "012";
    return this;
  }

  public Cli reading(String text) {
    in = text;
    return this;
  }

  public Path database() {
    return folder.resolve("data").resolve("semel.db");
  }

  /** Starts a command that continues, until it is closed at the latest. */
  RunningCommand start(String... args) {
    return new RunningCommand(Map.copyOf(environment), folder, queues, args);
  }

  public Result call(String... args) {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    StandardStreams streams =
        new StandardStreams(
            new ByteArrayInputStream(in.getBytes(StandardCharsets.UTF_8)),
            new PrintStream(out, false, StandardCharsets.UTF_8),
            new PrintStream(err, false, StandardCharsets.UTF_8),
            terminals);
    int code = SemelCommand.execute(new Environment(environment, folder, streams), queues, args);
    streams.flush();
    return new Result(code, out.toByteArray(), err.toString(StandardCharsets.UTF_8));
  }
}
