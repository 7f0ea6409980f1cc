package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.internal.PrintableText;
import dev.semel.json.Json;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import java.time.Duration;
import java.util.Optional;

/** The table of commands. For one thread. */
final class AdapterCommands implements AutoCloseable {
  /** Longest name of a command that an answer may repeat. */
  private static final int MAX_TYPE_LENGTH = 100;

  private final String version;
  private Optional<AdapterSession> session = Optional.empty();
  private boolean over;

  AdapterCommands(String version) {
    this.version = version;
  }

  /** Whether the suite has asked for the end. */
  boolean over() {
    return over;
  }

  /**
   * Executes one line.
   *
   * @throws InvalidInput the line is no command at all
   */
  JsonObject answer(byte[] line) {
    CommandFields command = CommandFields.parse(line);
    String type = command.text("type");
    if (type.length() > MAX_TYPE_LENGTH) {
      throw new InvalidInput("the command's type is longer than any");
    }
    try {
      return done(type, command);
    } catch (RuntimeException e) {
      // Any failure: the next command may well succeed.
      return AdapterFailures.of(type, path(command), e);
    }
  }

  private static String path(CommandFields command) {
    try {
      return command.find("path").orElse("");
    } catch (InvalidInput e) {
      return "";
    }
  }

  private JsonObject done(String type, CommandFields command) {
    return switch (type) {
      case "init" -> init(command);
      case "create" -> StreamCommands.create(session(), command).build();
      case "connect" -> StreamCommands.connect(session(), command).build();
      case "append" -> AppendCommand.append(session(), command).build();
      case "read" -> ReadCommand.read(session(), command).build();
      case "head" -> StreamCommands.head(session(), command).build();
      case "delete" -> StreamCommands.delete(session(), command).build();
      // Clients see no difference: the protocol has one answer for both.
      case "close", "server-close" -> StreamCommands.close(session(), command).build();
      case "idempotent-append" -> ProducerCommands.append(session(), command).build();
      case "idempotent-append-batch" -> ProducerCommands.appendBatch(session(), command).build();
      case "idempotent-close" -> ProducerCommands.close(session(), command).build();
      case "idempotent-detach" -> ProducerCommands.detach(session(), command).build();
      case "set-dynamic-header" -> {
        session().dynamic().headers().set(command.text("name"), kind(command), token(command));
        yield success(type).build();
      }
      case "set-dynamic-param" -> {
        session().dynamic().params().set(command.text("name"), kind(command), token(command));
        yield success(type).build();
      }
      case "clear-dynamic" -> {
        session().dynamic().headers().clear();
        session().dynamic().params().clear();
        yield success(type).build();
      }
      case "validate" -> ValidateCommand.validate(session(), command.object("target"));
      case "benchmark" -> BenchmarkCommand.benchmark(session(), command);
      case "shutdown" -> {
        over = true;
        yield success(type).build();
      }
      default ->
          AdapterFailures.notSupported(
              type, "there is no command %s".formatted(PrintableText.quoted(type)));
    };
  }

  private static String kind(CommandFields command) {
    return command.text("valueType");
  }

  private static String token(CommandFields command) {
    return command.find("initialValue").orElse("");
  }

  private AdapterSession session() {
    return session.orElseThrow(() -> new InvalidInput("no server is known: send init first"));
  }

  private JsonObject init(CommandFields command) {
    AdapterSession next =
        AdapterSession.open(
            command.text("serverUrl"), command.number("timeoutMs").map(Duration::ofMillis));
    session.ifPresent(AdapterSession::close);
    session = Optional.of(next);
    return success("init")
        .with("clientName", "semel")
        .with("clientVersion", version)
        .with("features", features())
        .build();
  }

  /** Without retries that are counted (ours are timed), and batches limited by messages. */
  private static JsonObject features() {
    return Json.object()
        .with("batching", true)
        .with("sse", true)
        .with("longPoll", true)
        .with("auto", true)
        .with("streaming", true)
        .with("dynamicHeaders", true)
        .with("strictZeroValidation", true)
        .build();
  }

  /** The beginning of a successful answer. */
  static JsonObjectBuilder success(String type) {
    return Json.object().with("type", type).with("success", true);
  }

  @Override
  public void close() {
    session.ifPresent(AdapterSession::close);
    session = Optional.empty();
  }
}
