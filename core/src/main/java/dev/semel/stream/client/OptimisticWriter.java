package dev.semel.stream.client;

import dev.semel.StoreException;
import dev.semel.loop.Platform;
import dev.semel.loop.internal.Backoff;
import java.time.Duration;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * Appends messages that depend on everything before them: reads to the end, decides, and appends
 * only if the stream still ends there. If another writer was faster, it reads on and decides again.
 * So with any number of writers, each decision is based on everything before it.
 *
 * <p>A lost answer neither writes twice nor looks like a conflict: each append is a producer's
 * batch, and the server distinguishes a duplicate batch from a moved tail. This needs a server that
 * supports both together, as Semel does.
 *
 * <p>The state is folded from the stream alone, its own messages included, so it can be lost and is
 * never ahead. For one thread.
 *
 * @param <S> the folded state; should not be changed in place, as an exception may come in between
 */
public final class OptimisticWriter<S> implements AutoCloseable {
  /** The default of how often one decision is made before {@link StreamContended} is thrown. */
  public static final int MAX_TRIES = 64;

  private static final Duration FIRST_PAUSE = Duration.ofMillis(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMillis(500);

  private final StreamReader reader;
  private final BiFunction<? super S, ? super StreamChunk, ? extends S> fold;
  private final ConditionalAppends appends;
  private final int maxTries;
  private S state;

  /**
   * Sends nothing yet.
   *
   * @param start the state of an empty stream
   * @param fold the state after a chunk
   */
  public OptimisticWriter(
      DurableStream stream, S start, BiFunction<? super S, ? super StreamChunk, ? extends S> fold) {
    this(stream, ReadOptions.defaults(), MAX_TRIES, start, fold);
  }

  /**
   * Starts from a state that is known up to an offset; sends nothing yet.
   *
   * @param options where the state ends, and how long to keep trying when the server is away
   * @param maxTries how often one decision may be made before {@link StreamContended} is thrown
   */
  public OptimisticWriter(
      DurableStream stream,
      ReadOptions options,
      int maxTries,
      S start,
      BiFunction<? super S, ? super StreamChunk, ? extends S> fold) {
    ReadOptions once = options.withLive(ReadOptions.Live.CATCH_UP);
    this.reader = stream.read(once);
    this.appends = new ConditionalAppends(stream, once);
    this.maxTries = maxTries;
    this.state = start;
    this.fold = fold;
  }

  /**
   * Decides and writes.
   *
   * @param decide gets the state of the whole stream, and returns the message to append; empty:
   *     none. May be called several times
   * @return the offset after the message, or empty when there was nothing to append
   * @throws StreamContended other writers were faster each time
   * @throws StreamRefused the server refused the message
   * @throws StoreException the server did not answer for too long; whether the message was written
   *     is unknown, and the next call finds out by reading
   */
  public Optional<String> write(Function<? super S, Optional<byte[]>> decide) {
    Backoff backoff = new Backoff(FIRST_PAUSE, LONGEST_PAUSE);
    for (int tries = 0; tries < maxTries; tries++) {
      Optional<byte[]> message = decide.apply(read());
      if (message.isEmpty()) {
        return Optional.empty();
      }
      Optional<String> written = appends.append(reader.offset(), message.get());
      if (written.isPresent()) {
        return written;
      }
      if (!backoff.pauseUntil(Platform.REAL.nanos() + LONGEST_PAUSE.toNanos())) {
        throw new StoreException("interrupted before anything was written");
      }
    }
    throw new StreamContended(maxTries);
  }

  /** Reads to the end of the stream; returns the state there. */
  public S read() {
    for (Optional<StreamChunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
      state = fold.apply(state, chunk.get());
    }
    return state;
  }

  /** The offset up to which the state is folded. */
  public String offset() {
    return reader.offset();
  }

  @Override
  public void close() {
    reader.close();
  }
}
