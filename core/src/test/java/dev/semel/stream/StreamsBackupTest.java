package dev.semel.stream;

import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.journal.internal.Journal;
import dev.semel.junit.Patience;
import dev.semel.stream.internal.local.StreamsCopy;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy that is made while streams are used is what they were at one moment. */
final class StreamsBackupTest {
  private static final StreamPath PATH = new StreamPath("orders/eu");
  private static final StreamPath OTHER = new StreamPath("orders/us");
  private static final int WRITERS = 3;
  private static final int COPIES = 6;

  @TempDir Path folder;

  private static JournalStreams.Settings settings() {
    return new JournalStreams.Settings(
        new StreamLimits(1_000, 100, 1_000, 1 << 20, 100, Duration.ofDays(1)),
        StreamRetention.FOR_EVER,
        new Journal.Settings(64 << 10, 4096, 0),
        8 << 10,
        1L << 30,
        4 << 10,
        2);
  }

  private JournalStreams open(String name) {
    return JournalStreams.open(folder.resolve(name), InstantSource.system(), settings());
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
  }

  private static AppendRequest text(String text) {
    return AppendRequest.of(ContentType.BYTES, bytes(text));
  }

  private static String content(Streams streams, StreamPath path) {
    StringBuilder all = new StringBuilder();
    ReadFrom from = new ReadFrom.Start();
    while (true) {
      DataSlice slice = ((StreamResult.Data) now(streams.read(path, from, 10_000))).slice();
      all.append(new String(slice.body(), StandardCharsets.UTF_8));
      if (slice.upToDate()) {
        return all.toString();
      }
      from = new ReadFrom.At(slice.next());
    }
  }

  private static void fill(JournalStreams streams, StreamPath path) {
    now(streams.create(CreateRequest.of(path, ContentType.BYTES)));
    for (int i = 0; i < 200; i++) {
      now(streams.append(path, text("line %d of it, long enough for files;".formatted(i))));
    }
  }

  private List<String> files(String name) throws IOException {
    try (Stream<Path> files = Files.list(folder.resolve(name).resolve("streams"))) {
      return files.map(file -> String.valueOf(file.getFileName())).sorted().toList();
    }
  }

  @Test
  void copyOpensWithStreamsProducersAndForks() {
    try (JournalStreams streams = open("source")) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
      now(streams.append(PATH, text("abc").by(tuple("p", 0, 0))));
      fill(streams, OTHER);
      StreamsCopy made = streams.backup(folder.resolve("copy"), bytes -> {});
      assertThat(made.files()).isGreaterThan(2);
      now(streams.append(PATH, text("later").by(tuple("p", 0, 1))));
      try (JournalStreams copy = open("copy")) {
        assertThat(content(copy, PATH)).isEqualTo("abc");
        assertThat(content(copy, OTHER)).isEqualTo(content(streams, OTHER));
        assertThat(now(copy.append(PATH, text("abc").by(tuple("p", 0, 0)))))
            .isInstanceOf(StreamResult.Duplicate.class);
        assertThat(now(copy.append(PATH, text("d").by(tuple("p", 0, 1)))))
            .isInstanceOf(StreamResult.Appended.class);
      }
      try (JournalStreams again = open("copy")) {
        assertThat(content(again, PATH)).isEqualTo("abcd");
      }
      assertThat(content(streams, PATH)).isEqualTo("abclater");
    }
  }

  @Test
  void whatIsDeletedMeanwhileIsInTheCopyAndThenGone() throws IOException {
    try (JournalStreams streams = open("source")) {
      fill(streams, PATH);
      fill(streams, OTHER);
      String before = content(streams, OTHER);
      int there = files("source").size();
      AtomicBoolean deleted = new AtomicBoolean();
      streams.backup(
          folder.resolve("copy"),
          bytes -> {
            if (deleted.compareAndSet(false, true)) {
              now(streams.delete(PATH));
              now(streams.delete(OTHER));
              now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
              now(streams.append(PATH, text("new")));
            }
          });
      assertThat(content(streams, PATH)).isEqualTo("new");
      assertThat(files("source")).hasSizeLessThan(there).hasSize(1);
      try (JournalStreams copy = open("copy")) {
        assertThat(content(copy, OTHER)).isEqualTo(before);
        assertThat(content(copy, PATH)).isEqualTo(before);
      }
    }
    try (JournalStreams reopened = open("source")) {
      assertThat(content(reopened, PATH)).isEqualTo("new");
    }
  }

  @Test
  void copyThatCanNotBeWrittenHarmsNobody() throws IOException {
    Files.createDirectories(folder.resolve("copy"));
    Files.writeString(folder.resolve("copy").resolve("mine"), "mine");
    try (JournalStreams streams = open("source")) {
      fill(streams, PATH);
      assertThatThrownBy(() -> streams.backup(folder.resolve("copy"), bytes -> {}))
          .isInstanceOf(StoreException.class);
      now(streams.append(PATH, text("x")));
      now(streams.delete(PATH));
      assertThat(files("source")).isEmpty();
      streams.backup(folder.resolve("second"), bytes -> {});
    }
  }

  @Test
  void oneAtATime() {
    try (JournalStreams streams = open("source")) {
      fill(streams, PATH);
      AtomicBoolean refused = new AtomicBoolean();
      streams.backup(
          folder.resolve("copy"),
          bytes -> {
            assertThatThrownBy(() -> streams.backup(folder.resolve("second"), more -> {}))
                .isInstanceOf(InvalidInput.class);
            refused.set(true);
          });
      assertThat(refused).isTrue();
    }
  }

  /** Whatever was answered before a copy began is in it, and nothing with a gap before it. */
  @Test
  void everyAppendIsAccountedForUnderLoad() throws Exception {
    AtomicIntegerArray answered = new AtomicIntegerArray(WRITERS);
    AtomicBoolean stopping = new AtomicBoolean();
    ExecutorService threads = Executors.newFixedThreadPool(WRITERS);
    try (JournalStreams streams = open("source")) {
      List<Future<?>> running = new ArrayList<>();
      for (int w = 0; w < WRITERS; w++) {
        int writer = w;
        now(streams.create(CreateRequest.of(path(w), ContentType.BYTES)));
        running.add(threads.submit(() -> append(streams, writer, answered, stopping)));
      }
      for (int n = 0; n < COPIES; n++) {
        int[] before = counts(answered);
        streams.backup(folder.resolve("copy" + n), bytes -> {});
        int[] after = counts(answered);
        try (JournalStreams copy = open("copy" + n)) {
          for (int w = 0; w < WRITERS; w++) {
            int lines = lines(content(copy, path(w)));
            // The last one may be in it although its answer came later.
            assertThat(lines).isBetween(before[w], after[w] + 1);
          }
        }
      }
      stopping.set(true);
      for (Future<?> each : running) {
        each.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS);
      }
    } finally {
      stopping.set(true);
      threads.shutdownNow();
    }
    try (JournalStreams reopened = open("source")) {
      for (int w = 0; w < WRITERS; w++) {
        assertThat(lines(content(reopened, path(w)))).isEqualTo(answered.get(w));
      }
    }
  }

  private static StreamPath path(int writer) {
    return new StreamPath("writer-" + writer);
  }

  private static int[] counts(AtomicIntegerArray answered) {
    int[] counts = new int[WRITERS];
    for (int w = 0; w < WRITERS; w++) {
      counts[w] = answered.get(w);
    }
    return counts;
  }

  /** Appends its lines, and makes and deletes a stream now and then. */
  private static void append(
      JournalStreams streams, int writer, AtomicIntegerArray answered, AtomicBoolean stopping) {
    for (int n = 0; !stopping.get(); n++) {
      AppendRequest line = text(n + ";").by(tuple("w" + writer, 0, n));
      assertThat(now(streams.append(path(writer), line))).isInstanceOf(StreamResult.Appended.class);
      answered.set(writer, n + 1);
      if (n % 20 == 0) {
        StreamPath passing = new StreamPath("passing-%d-%d".formatted(writer, n));
        now(streams.create(CreateRequest.of(passing, ContentType.BYTES)));
        now(streams.append(passing, text("soon gone")));
        now(streams.delete(passing));
      }
    }
  }

  private static int lines(String content) {
    String[] lines = content.isEmpty() ? new String[0] : content.split(";");
    for (int i = 0; i < lines.length; i++) {
      assertThat(lines[i]).isEqualTo(Integer.toString(i));
    }
    return lines.length;
  }
}
