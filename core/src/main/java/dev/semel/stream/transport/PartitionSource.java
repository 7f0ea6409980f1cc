package dev.semel.stream.transport;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.loop.internal.Loop;
import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import dev.semel.stream.spi.AppendBody;
import dev.semel.transport.Message;
import dev.semel.transport.spi.PartitionBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/**
 * Reads one partition from a position on. One request at a time waits for more, on another thread;
 * the subscription's thread takes its answer before the next request is sent. Every message has its
 * own position: the offset after it.
 */
final class PartitionSource {
  private final Partition partition;
  private final StreamReader reader;
  private final Runnable news;
  private final AtomicReference<@Nullable Arrival> arrived = new AtomicReference<>();
  private volatile boolean asking;
  private final ArrayDeque<Entry> entries = new ArrayDeque<>();

  /** The position up to which messages are in the buffer. */
  private String position;

  /** The position up to which messages were fetched. */
  private String end;

  private boolean missing;
  private boolean upToDate;
  private boolean over;

  /**
   * A partition of a destination.
   *
   * @param name its name in positions: the stream's path
   * @param create whether to create the stream if it is missing and nothing was read from it before
   */
  record Partition(String destination, String name, DurableStream stream, boolean create) {}

  private record Entry(String next, Message message) {}

  /** The result of a request. */
  private sealed interface Arrival {
    record Entries(List<Entry> entries, String end, boolean upToDate) implements Arrival {}

    record Failure(StoreException why) implements Arrival {}

    record End() implements Arrival {}
  }

  /**
   * Sends nothing yet.
   *
   * @param position empty: from the first message that is kept
   * @param news called when an answer came
   */
  PartitionSource(Partition partition, String position, Runnable news) {
    this.partition = partition;
    this.position = position;
    this.end = position;
    this.missing = partition.create() && position.isEmpty();
    this.news = news;
    this.reader = partition.stream().read(options(position).withLive(ReadOptions.Live.LONG_POLL));
  }

  private static ReadOptions options(String position) {
    return ReadOptions.from(position.isEmpty() ? ReadOptions.START : position)
        .withPatience(Duration.ZERO);
  }

  /** The position of the buffer, if everything from here went there. */
  String position() {
    return position;
  }

  /**
   * Moves fetched messages into the buffer, as far as it has room, and requests more.
   *
   * @throws StoreException the partition can't be read
   */
  void flow(PartitionBuffer buffer) {
    take();
    while (!entries.isEmpty() && buffer.hasRoom(partition.name())) {
      Entry next = entries.remove();
      buffer.add(partition.name(), next.next(), next.message());
      position = next.next();
    }
    if (entries.isEmpty() && !asking && !over && arrived.get() == null) {
      asking = true;
      Loop.beside("semel-lane-reads", this::ask);
    }
  }

  private void take() {
    switch (arrived.getAndSet(null)) {
      case null -> {}
      case Arrival.Entries came -> {
        entries.addAll(came.entries());
        end = came.end();
        upToDate = came.upToDate();
        missing = false;
      }
      case Arrival.Failure failed -> throw failed.why();
      case Arrival.End e -> over = true;
    }
  }

  private void ask() {
    Arrival arrival;
    try {
      if (missing) {
        partition.stream().create(ContentType.JSON);
      }
      arrival = next();
    } catch (StoreException e) {
      arrival = new Arrival.Failure(explained(e));
    } catch (InvalidInput e) {
      arrival = new Arrival.Failure(garbled(e));
    } catch (CancellationException e) {
      arrival = new Arrival.End();
    } catch (RuntimeException e) {
      arrival = new Arrival.Failure(new StoreException("the partition can't be read: " + e, e));
    }
    arrived.set(arrival);
    asking = false;
    news.run();
  }

  private Arrival next() {
    Optional<StreamChunk> chunk = reader.next();
    if (chunk.isEmpty()) {
      return new Arrival.End();
    }
    return new Arrival.Entries(
        entries(chunk.get()), chunk.get().nextOffset(), chunk.get().upToDate());
  }

  private List<Entry> entries(StreamChunk chunk) {
    if (chunk.isEmpty()) {
      return List.of();
    }
    AppendBody body = AppendBody.of(ContentType.JSON, chunk.bytes());
    if (!body.problem().isEmpty()) {
      throw new InvalidInput(body.problem());
    }
    long start = Offset.parse(chunk.nextOffset()).position() - body.length();
    List<Entry> found = new ArrayList<>(body.ends().length);
    int from = 0;
    for (int to : body.ends()) {
      String json = new String(body.bytes(), from, to - from - 1, StandardCharsets.UTF_8);
      found.add(
          new Entry(
              new Offset(start + to).text(), MessageFrame.parse(partition.destination(), json)));
      from = to;
    }
    return found;
  }

  /** How many fetched messages have no place in the buffer yet. */
  int fetched() {
    take();
    return entries.size();
  }

  /** Whether the server would have announced more. */
  boolean waitsForMore() {
    return upToDate && asking;
  }

  /**
   * Asks the server how many messages come after the fetched ones.
   *
   * @param most counting stops at about this many
   */
  long behind(long most) {
    long count = 0;
    try (StreamReader look = partition.stream().read(options(end))) {
      for (Optional<StreamChunk> chunk = look.next();
          chunk.isPresent() && count < most;
          chunk = look.next()) {
        count += AppendBody.of(ContentType.JSON, chunk.get().bytes()).ends().length;
      }
    } catch (StreamRefused e) {
      if (!missing || e.reason() != StreamRefused.Reason.NOT_FOUND) {
        throw explained(e);
      }
    }
    return count;
  }

  private StoreException explained(StoreException why) {
    if (!(why instanceof StreamRefused refused)) {
      return why;
    }
    String sentence =
        switch (refused.reason()) {
          case NOT_FOUND ->
              position.isEmpty()
                  ? "there is no stream %s: create it, or let the transport do that"
                  : "the stream %s was deleted while the consumer stood at %s: decide what is to"
                      + " become of its position";
          case GONE ->
              "what follows position %2$s of %1$s is no longer kept: messages were dropped unread,"
                  + " decide from where to go on";
          case MALFORMED ->
              "the position %2$s is none of the stream %1$s: was it deleted and created anew?"
                  + " Decide from where to go on";
          case NOT_ALLOWED -> "the server does not let us read %s, check the token and its rights";
          default -> "the stream %s can't be read";
        };
    return new StoreException(
        sentence.formatted(partition.stream().url(), position) + " (" + why.getMessage() + ")",
        why);
  }

  private StoreException garbled(InvalidInput why) {
    return new StoreException(
        "behind position %s of %s lies what is no message of ours, so the partition can't be read on: %s"
            .formatted(position, partition.stream().url(), why.getMessage()),
        why);
  }

  void close() {
    reader.close();
  }
}
