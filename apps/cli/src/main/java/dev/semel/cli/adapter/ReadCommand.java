package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.json.JsonObjectBuilder;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads until it has enough, the stream is read, or the time is over. For one command. */
final class ReadCommand {
  private static final int DEFAULT_TIMEOUT = 5_000;

  /** Longest time that one command may take. */
  static final int MAX_TIMEOUT = 600_000;

  private static final int DEFAULT_CHUNKS = 100;

  /** Limit of data in one answer; the answer then ends and says where to continue. */
  static final int MAX_BYTES = 32 << 20;

  private final Live live;
  private final boolean untilUpToDate;
  private final int maxChunks;
  private final List<JsonObject> chunks = new ArrayList<>();
  private long bytes;
  private boolean upToDate;

  /** Whether the server's last answer announced more. */
  private boolean more;

  private ReadCommand(Live live, boolean untilUpToDate, int maxChunks) {
    this.live = live;
    this.untilUpToDate = untilUpToDate;
    this.maxChunks = maxChunks;
  }

  static JsonObjectBuilder read(AdapterSession session, CommandFields command) {
    int timeout = command.count("timeoutMs", DEFAULT_TIMEOUT);
    if (timeout == 0 || timeout > MAX_TIMEOUT) {
      throw new InvalidInput("timeoutMs must be from 1 to " + MAX_TIMEOUT);
    }
    int maxChunks = command.count("maxChunks", DEFAULT_CHUNKS);
    if (maxChunks == 0) {
      throw new InvalidInput("maxChunks must be at least 1");
    }
    Live live = live(command);
    ReadOptions options =
        ReadOptions.from(command.find("offset").orElse(ReadOptions.START))
            .withLive(live)
            // A failing server must be reported as such, and not as one without new data.
            .withPatience(Duration.ofMillis(timeout * 3L / 4));
    AdapterCall call = session.call(command);
    ReadCommand reading = new ReadCommand(live, command.isTrue("waitForUpToDate"), maxChunks);
    try (StreamReader reader = call.stream().read(options)) {
      reading.within(Duration.ofMillis(timeout), reader);
      return call.withSent(reading.answer(reader));
    }
  }

  private static Live live(CommandFields command) {
    if (command.saysFalse("live")) {
      return Live.CATCH_UP;
    }
    if (command.saysTrue("live")) {
      return Live.AUTO;
    }
    return switch (command.text("live")) {
      case "long-poll" -> Live.LONG_POLL;
      case "sse" -> Live.SSE;
      default -> throw new InvalidInput("live must be false, true, long-poll or sse");
    };
  }

  private void within(Duration time, StreamReader reader) {
    CompletableFuture<Void> clock =
        new CompletableFuture<Void>().orTimeout(time.toNanos(), TimeUnit.NANOSECONDS);
    CompletableFuture<Void> unused =
        clock.whenComplete(
            (nothing, late) -> {
              if (late instanceof TimeoutException) {
                reader.close();
              }
            });
    try {
      collect(reader);
    } catch (CancellationException e) {
      if (live == Live.CATCH_UP) {
        throw new StoreException(
            "there was more to read than there was time: give more (timeoutMs)",
            new TimeoutException());
      }
      upToDate = !more; // only a server without new data makes a reader wait
    } finally {
      clock.complete(null);
    }
  }

  private void collect(StreamReader reader) {
    while (chunks.size() < maxChunks && bytes < MAX_BYTES) {
      Optional<StreamChunk> next = reader.next();
      if (next.isEmpty()) {
        upToDate = true;
        return;
      }
      take(next.get());
      if (untilUpToDate && upToDate) {
        return;
      }
    }
  }

  private void take(StreamChunk chunk) {
    upToDate = chunk.upToDate();
    more = !upToDate;
    if (!chunk.isEmpty()) {
      chunks.add(ChunkView.json(chunk));
      bytes += chunk.bytes().length;
    }
  }

  private JsonObjectBuilder answer(StreamReader reader) {
    boolean nothing = chunks.isEmpty() && live == Live.LONG_POLL;
    return AdapterCommands.success("read")
        .with("status", nothing ? 204 : 200) // like a long poll without data
        .with("chunks", chunks)
        .with("offset", reader.offset())
        .with("upToDate", upToDate)
        .with("streamClosed", reader.atEnd());
  }
}
