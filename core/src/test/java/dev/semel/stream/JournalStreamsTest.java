package dev.semel.stream;

import static dev.semel.stream.Fixture.bytes;
import static dev.semel.stream.Fixture.tuple;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.journal.JournalException;
import dev.semel.journal.internal.Journal;
import dev.semel.journal.internal.JournalDisk;
import dev.semel.journal.internal.SimulatedDisk;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.local.JournalStorage;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.FilePart;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedByInterruptException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What the engine in a folder adds to the one in memory; crashes are {@link StreamsCrashTest}'s.
 */
final class JournalStreamsTest {
  private static final StreamPath PATH = new StreamPath("orders/eu");
  private static final StreamLimits SMALL =
      new StreamLimits(1_000, 100, 1_000, 1 << 20, 100, Duration.ofDays(1));

  @TempDir Path folder;

  @AfterEach
  void letNoInterruptReachOthers() {
    boolean unused = Thread.interrupted();
  }

  private static JournalStreams.Settings settings() {
    return new JournalStreams.Settings(
        SMALL,
        StreamRetention.FOR_EVER,
        new Journal.Settings(64 << 10, 4096, 0),
        8 << 10,
        1L << 30,
        4 << 10,
        2);
  }

  private JournalStreams open() {
    return JournalStreams.open(folder, InstantSource.system(), settings());
  }

  private static <T> T now(CompletionStage<T> stage) {
    return stage.toCompletableFuture().join();
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

  private static AppendRequest text(String text) {
    return AppendRequest.of(ContentType.BYTES, bytes(text));
  }

  @Test
  void whatWasWrittenIsThereAgain() {
    try (JournalStreams streams = open()) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
      now(streams.append(PATH, text("abc").by(tuple("p", 0, 0))));
    }
    try (JournalStreams streams = open()) {
      assertThat(content(streams, PATH)).isEqualTo("abc");
      assertThat(now(streams.append(PATH, text("abc").by(tuple("p", 0, 0)))))
          .isInstanceOf(StreamResult.Duplicate.class);
      assertThat(now(streams.append(PATH, text("d").by(tuple("p", 0, 1)))))
          .isInstanceOf(StreamResult.Appended.class);
    }
  }

  @Test
  void oneProcessHasTheFolder() {
    try (JournalStreams streams = open()) {
      assertThat(streams.table().size()).isZero();
      assertThatThrownBy(this::open).isInstanceOf(JournalException.InUse.class);
    }
    open().close();
  }

  @Test
  void deletedDataLeavesNoFiles() throws IOException {
    try (JournalStreams streams = open()) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES).withBody(bytes("abc"))));
      assertThat(files()).hasSize(1);
      now(streams.delete(PATH));
      assertThat(files()).isEmpty();
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES).withBody(bytes("x"))));
      assertThat(content(streams, PATH)).isEqualTo("x");
    }
  }

  @Test
  void aLongRunIsSentFromItsFileEvenIfTheStreamGoes() throws IOException {
    StreamLimits limits = new StreamLimits(10, 10, 1 << 20, 1 << 22, 10, Duration.ofDays(1));
    try (JournalStreams streams =
        JournalStreams.open(
            folder,
            InstantSource.system(),
            JournalStreams.Settings.defaults().with(limits, StreamRetention.FOR_EVER))) {
      byte[] data = bytes("0123456789".repeat(10_000));
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES).withBody(data)));
      ReadFrom from = new ReadFrom.At(new Offset(10));
      StreamResult.InFile answer =
          (StreamResult.InFile) now(streams.readToSend(PATH, from, 80_000));
      now(streams.delete(PATH));
      assertThat(answer.slice().next()).isEqualTo(new Offset(80_010));
      assertThat(answer.slice().upToDate()).isFalse();
      try (FilePart part = answer.part()) {
        ByteBuffer read = ByteBuffer.allocate((int) part.length());
        while (read.hasRemaining()) {
          assertThat(part.channel().read(read, part.position() + read.position())).isPositive();
        }
        assertThat(read.array()).isEqualTo(Arrays.copyOfRange(data, 10, 80_010));
      }
    }
  }

  private List<Path> files() throws IOException {
    try (Stream<Path> all = Files.list(folder.resolve("streams"))) {
      return all.toList();
    }
  }

  @Test
  void aMissingFileIsNotPassedOver() throws IOException {
    try (JournalStreams streams = open()) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES).withBody(bytes("abc"))));
    }
    for (Path file : files()) {
      Files.delete(file);
    }
    assertThatThrownBy(this::open).isInstanceOf(StoreException.class).hasMessageContaining("gone");
  }

  @Test
  void manyWritersShareCommitsWhileCheckpointsRun() throws Exception {
    int writers = 4;
    int batches = 300;
    String line = "0123456789".repeat(5);
    try (JournalStreams streams = open();
        ExecutorService threads = Executors.newFixedThreadPool(2 * writers)) {
      for (int w = 0; w < writers; w++) {
        now(streams.create(CreateRequest.of(new StreamPath("s" + w), ContentType.BYTES)));
      }
      List<Future<?>> running = new ArrayList<>();
      for (int w = 0; w < writers; w++) {
        StreamPath path = new StreamPath("s" + w);
        String id = "w" + w;
        running.add(
            threads.submit(
                () -> {
                  for (int seq = 0; seq < batches; seq++) {
                    AppendRequest append = text(line).by(tuple(id, 0, seq));
                    assertThat(now(streams.append(path, append)))
                        .isInstanceOf(StreamResult.Appended.class);
                  }
                }));
        running.add(threads.submit(() -> assertThat(isPrefix(content(streams, path))).isTrue()));
      }
      for (Future<?> each : running) {
        each.get();
      }
      for (int w = 0; w < writers; w++) {
        assertThat(content(streams, new StreamPath("s" + w))).isEqualTo(line.repeat(batches));
      }
    }
    try (JournalStreams streams = open()) {
      assertThat(content(streams, new StreamPath("s0"))).isEqualTo(line.repeat(batches));
    }
  }

  private static boolean isPrefix(String read) {
    for (int i = 0; i < read.length(); i++) {
      if (read.charAt(i) != '0' + i % 10) {
        return false;
      }
    }
    return true;
  }

  @Test
  void aNearlyFullDiskTakesNothingInButLetsGo() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    JournalStreams streams =
        JournalStreams.open(
            disk,
            InstantSource.system(),
            new JournalStreams.Settings(
                SMALL,
                StreamRetention.FOR_EVER,
                new Journal.Settings(64 << 10, 4096, 1_000),
                1,
                1L << 30,
                4096,
                2));
    now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
    disk.usable = 999;
    assertThat(now(streams.append(PATH, text("a")))).isEqualTo(new StreamResult.NoRoom());
    assertThat(now(streams.create(CreateRequest.of(new StreamPath("b"), ContentType.BYTES))))
        .isEqualTo(new StreamResult.NoRoom());
    assertThat(content(streams, PATH)).isEmpty();
    assertThat(now(streams.delete(PATH))).isEqualTo(new StreamResult.Deleted());
    disk.usable = 1_000_000;
    assertThat(now(streams.create(CreateRequest.of(PATH, ContentType.BYTES))))
        .isInstanceOf(StreamResult.Created.class);
  }

  @Test
  void aNearlyFullDiskDoesNotKeepASweepFromFreeingSome() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    Instant[] now = {Instant.EPOCH};
    JournalStreams streams =
        JournalStreams.open(
            disk,
            () -> now[0],
            new JournalStreams.Settings(
                SMALL,
                new StreamRetention(1_000, Duration.ofDays(1)),
                new Journal.Settings(64 << 10, 4096, 1_000),
                1,
                1L << 30,
                4096,
                2));
    now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
    now(streams.append(PATH, text("old").by(tuple("p", 0, 0))));
    now[0] = now[0].plus(Duration.ofDays(2));
    disk.usable = 999;
    assertThat(now(streams.sweep())).isEqualTo(1);
    assertThat(content(streams, PATH)).isEmpty();
    assertThat(now(streams.producers(PATH))).hasSize(1);
    disk.usable = 1_000_000;
    assertThat(now(streams.sweep())).isEqualTo(1);
    assertThat(now(streams.producers(PATH))).isEmpty();
  }

  @Test
  void whatIsYoungStaysEvenIfTheClockGoesBack() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    Instant[] now = {Instant.ofEpochSecond(100)};
    JournalStreams streams =
        JournalStreams.open(
            disk,
            () -> now[0],
            settings().with(SMALL, new StreamRetention(1 << 20, Duration.ofSeconds(10))));
    now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
    for (int i = 0; i < 100; i++) {
      now(streams.append(PATH, text("a")));
    }
    streams.checkpoint();
    now[0] = Instant.ofEpochSecond(50);
    for (int i = 0; i < 300; i++) {
      now(streams.append(PATH, text("b")));
    }
    now[0] = Instant.ofEpochSecond(65);
    assertThat(now(streams.sweep())).isZero();
    assertThat(content(streams, PATH)).isEqualTo("a".repeat(100) + "b".repeat(300));
    now[0] = Instant.ofEpochSecond(110);
    assertThat(now(streams.sweep())).isEqualTo(1);
    assertThat(content(streams, PATH)).isEmpty();
  }

  @Test
  void whatIsDeletedWhileACheckpointIsForcedLeavesNoFiles() throws IOException {
    JournalStorage storage = new JournalStorage(JournalDisk.at(folder), settings());
    AppendBody body = AppendBody.of(ContentType.BYTES, bytes("abc"));
    StreamConfig config = StreamConfig.of(ContentType.BYTES);
    storage.write(new StreamChange.Created(1, 0, PATH, config, Offset.ZERO, 0, body, false));
    storage.commit();
    JournalStorage.Checkpoint checkpoint = storage.checkpoint();
    storage.write(new StreamChange.Deleted(1, 0));
    storage.commit();
    storage.force(checkpoint, nanos -> {});
    assertThat(files()).isEmpty();
    storage.close();
    open().close();
  }

  @Test
  void aCallerThatIsInterruptedHarmsNobody() {
    try (JournalStreams streams = open()) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
      Thread.currentThread().interrupt();
      assertThat(now(streams.append(PATH, text("a")))).isInstanceOf(StreamResult.Appended.class);
      assertThat(content(streams, PATH)).isEqualTo("a");
      streams.checkpoint();
      assertThat(Thread.interrupted()).as("it stays interrupted").isTrue();
      assertThat(now(streams.append(PATH, text("b")))).isInstanceOf(StreamResult.Appended.class);
      assertThat(content(streams, PATH)).isEqualTo("ab");
    }
  }

  @Test
  void aFileThatAnInterruptedReaderClosedIsOpenedAgain() {
    String data = "0123456789".repeat(10_000);
    try (JournalStreams streams =
        JournalStreams.open(folder, InstantSource.system(), JournalStreams.Settings.defaults())) {
      now(streams.create(CreateRequest.of(PATH, ContentType.BYTES).withBody(bytes(data))));
      ReadFrom start = new ReadFrom.Start();
      StreamResult.InFile answer =
          (StreamResult.InFile) now(streams.readToSend(PATH, start, 80_000));
      Thread.currentThread().interrupt();
      try (FilePart part = answer.part()) {
        assertThatThrownBy(() -> part.channel().read(ByteBuffer.allocate(1), 0))
            .isInstanceOf(ClosedByInterruptException.class);
      }
      assertThat(Thread.interrupted()).isTrue();
      assertThat(now(streams.append(PATH, text("!")))).isInstanceOf(StreamResult.Appended.class);
      assertThat(content(streams, PATH)).isEqualTo(data + "!");
    }
  }

  @Test
  void aJournalThatIsTooFarAheadAsksForPatience() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    JournalStreams streams =
        JournalStreams.open(
            disk,
            InstantSource.system(),
            new JournalStreams.Settings(
                SMALL,
                StreamRetention.FOR_EVER,
                new Journal.Settings(64 << 10, 4096, 0),
                100,
                200,
                4096,
                2));
    now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
    AppendRequest append = text("a".repeat(150));
    assertThat(now(streams.append(PATH, append))).isInstanceOf(StreamResult.Appended.class);
    assertThat(now(streams.append(PATH, append)))
        .isEqualTo(new StreamResult.Busy("journal bytes", 200));
    streams.checkpoint();
    assertThat(now(streams.append(PATH, append))).isInstanceOf(StreamResult.Appended.class);
  }

  @Test
  void afterADiskErrorNobodyIsToldAnything() throws IOException {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    StreamLimits narrow = new StreamLimits(10, 10, 1_000, 10, 10, Duration.ofDays(1));
    JournalStreams streams =
        JournalStreams.open(
            disk, InstantSource.system(), settings().with(narrow, StreamRetention.FOR_EVER));
    now(streams.create(CreateRequest.of(PATH, ContentType.BYTES)));
    disk.failAfter(0);
    for (int i = 0; i < 3; i++) { // nor that it would be worth another try
      assertThat(streams.append(PATH, text("01234567")).toCompletableFuture())
          .isCompletedExceptionally();
    }
    assertThat(streams.read(PATH, new ReadFrom.Start(), 10).toCompletableFuture())
        .isCompletedExceptionally();
    assertThat(streams.failed().toCompletableFuture()).isCompleted();
  }
}
