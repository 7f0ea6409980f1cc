package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.cli.streams.StreamSession;
import dev.semel.json.Json;
import dev.semel.loop.internal.Loop;
import dev.semel.proof.flow.StreamJudge;
import dev.semel.stream.client.OptimisticWriter;
import dev.semel.stream.client.ReadOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;

/**
 * Writes to a stream that all clients write to. Each entry states how many entries precede it, so
 * that only the client that knows the current end may win that place.
 */
final class StreamRaces implements AutoCloseable {
  private static final Duration REST = Duration.ofMillis(25);

  private final StreamSession session;
  private final OptimisticWriter<Long> writer;
  private final Loop loop;
  private int entries;

  /** Starts at once. */
  StreamRaces(StreamSession session) {
    this.session = session;
    this.writer =
        new OptimisticWriter<Long>(
            session.stream(StreamsWorker.RACE),
            ReadOptions.defaults().withPatience(Duration.ofSeconds(10)),
            OptimisticWriter.MAX_TRIES,
            0L,
            (count, chunk) -> count + chunk.messages().size());
    this.loop = Loop.start("semel-race", this::race, REST);
  }

  private boolean race() {
    String entry = "race/%s/%d".formatted(session.orders().client(), entries++);
    session.notes().note(StreamJudge.APPENDS, entry, StreamsWorker.RACE);
    try {
      Optional<String> unused =
          writer.write(
              place -> Optional.of(message(entry, place).getBytes(StandardCharsets.UTF_8)));
      session.notes().note(StreamJudge.ACKNOWLEDGED, entry, StreamsWorker.RACE);
      session.done().incrementAndGet();
    } catch (StoreException e) {
      // The judge finds out from the stream whether it is there.
    }
    return false;
  }

  private static String message(String entry, long place) {
    return Json.object().with("place", Long.toString(place)).with("entry", entry).write();
  }

  @Override
  public void close() {
    loop.close();
    writer.close();
  }
}
