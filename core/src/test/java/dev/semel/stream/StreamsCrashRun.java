package dev.semel.stream;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.StoreException;
import dev.semel.journal.internal.Journal;
import dev.semel.journal.internal.SimulatedDisk;
import dev.semel.stream.internal.FutureSubmission;
import dev.semel.stream.internal.StreamChange;
import dev.semel.stream.internal.StreamTable;
import dev.semel.stream.internal.local.MemoryData;
import dev.semel.stream.spi.AppendRequest;
import dev.semel.stream.spi.AppendSender;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.DataSlice;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamResult;
import dev.semel.stream.spi.Streams;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.function.Function;

/**
 * Streams that live several times on one simulated disk, beside an engine in memory that is asked
 * the same and never crashes. After every crash the disk must hold what was answered, and of the
 * requests that were under way the first few or none, each as a whole.
 */
final class StreamsCrashRun {
  /** A safeguard that is removed, to see whether the test notices. */
  enum Flaw {
    NONE,
    NO_JOURNAL_FORCE,
    NO_SNAPSHOT_FORCE,
    NO_DATA_FORCE,
    NO_INDEX_FORCE,
    NO_FOLDER_FORCE;

    boolean forces(String name) {
      return switch (this) {
        case NONE -> true;
        case NO_JOURNAL_FORCE -> !name.endsWith(".segment");
        case NO_SNAPSHOT_FORCE -> !name.startsWith("snapshot");
        case NO_DATA_FORCE -> !name.endsWith(".data");
        case NO_INDEX_FORCE -> !name.endsWith(".index");
        case NO_FOLDER_FORCE -> !name.isEmpty();
      };
    }
  }

  /** What runs met, to be sure that they met it. */
  static final class Tally {
    int recoveries;
    int crashesInRecovery;
    int torn;
    int checkpoints;
    int appended;
    int repeated;
    int created;
    int forks;
    int read;
  }

  private static final int MAX_STEPS = 400;
  private static final String[] PATHS = {"a", "b", "c"};
  private static final StreamLimits LIMITS =
      new StreamLimits(9, 9, 300, 1 << 20, 9, Duration.ofHours(1));

  /** A request that both engines get. */
  private sealed interface Request {
    record Appending(StreamPath path, AppendRequest append, String words) implements Request {
      @Override
      public String put(Streams streams) {
        return StreamsCrashRun.words(now(streams.append(path, append)));
      }
    }

    record Other(String words, Function<Streams, String> put) implements Request {
      @Override
      public String put(Streams streams) {
        return put.apply(streams);
      }
    }

    String words();

    String put(Streams streams);
  }

  private final Random random;
  private final SimulatedDisk disk;
  private final JournalStreams.Settings settings;
  private final StreamRetention retention;
  private final Tally tally;
  private Instant now = Instant.parse("2026-01-01T00:00:00Z");

  /** What happened for good. */
  private List<StreamChange> changes = new ArrayList<>();

  private MemoryStreams reference;

  /** Requests whose answer never came, and when they were put. */
  private List<Request> undecided = List.of();

  private Instant undecidedAt = now;
  private final List<String> story = new ArrayList<>();

  private StreamsCrashRun(long seed, Flaw flaw, Tally tally) {
    this.random = new Random(seed);
    this.tally = tally;
    this.disk = new SimulatedDisk(random, flaw::forces);
    this.retention =
        random.nextInt(3) == 0
            ? new StreamRetention(200 + random.nextInt(2000), Duration.ofMinutes(30))
            : StreamRetention.FOR_EVER;
    this.settings =
        new JournalStreams.Settings(
            LIMITS,
            retention,
            new Journal.Settings(8192, 512, 0),
            1,
            1L << 40,
            100 + random.nextInt(1000),
            1 + random.nextInt(3));
    this.reference = memory(List.of());
  }

  private MemoryStreams memory(List<StreamChange> history) {
    changes = new ArrayList<>();
    MemoryData data = new MemoryData(change -> changes.add(change));
    history.forEach(data::write);
    return new MemoryStreams(() -> now, LIMITS, retention, data);
  }

  static void run(long seed, Flaw flaw, Tally tally) {
    StreamsCrashRun run = new StreamsCrashRun(seed, flaw, tally);
    try {
      run.live();
    } catch (AssertionError | RuntimeException | IOException e) {
      int from = Math.max(0, run.story.size() - 25);
      throw new AssertionError(
          "seed %d with flaw %s; again: mvn test -pl :semel-core -Dtest=StreamsCrashTest -Dsemel.seed=%d%n%s"
              .formatted(
                  seed, flaw, seed, String.join("\n", run.story.subList(from, run.story.size()))),
          e);
    }
  }

  private void live() throws IOException {
    int lives = 2 + random.nextInt(5);
    for (int life = 0; life < lives; life++) {
      disk.crashAfter(random.nextInt(random.nextInt(MAX_STEPS) + 1));
      if (random.nextInt(5) == 0) {
        disk.failAfter(random.nextInt(MAX_STEPS / 3));
      }
      liveOnce();
      boolean kill = random.nextInt(3) == 0;
      story.add(kill ? "kill" : "power loss");
      if (kill) {
        disk.kill();
      } else {
        disk.losePower();
      }
      now = now.plusSeconds(random.nextInt(100));
    }
    check(open());
  }

  private void liveOnce() throws IOException {
    JournalStreams streams;
    try {
      streams = open();
    } catch (SimulatedDisk.Crash | StoreException | IOException e) {
      if (!disk.hasCrashed() && !disk.hasFailed()) {
        throw e;
      }
      tally.crashesInRecovery++;
      return;
    }
    check(streams);
    for (int i = random.nextInt(200); i > 0; i--) {
      if (!step(streams)) {
        return;
      }
    }
    if (random.nextBoolean()) {
      story.add("close");
      streams.close();
    }
  }

  private JournalStreams open() throws IOException {
    JournalStreams streams = JournalStreams.open(disk, () -> now, settings);
    tally.recoveries++;
    return streams;
  }

  /** False: the engine has crashed. */
  private boolean step(JournalStreams streams) {
    int dice = random.nextInt(100);
    if (dice < 3) {
      story.add("checkpoint");
      try {
        streams.checkpoint();
        tally.checkpoints++;
        return true;
      } catch (SimulatedDisk.Crash | StoreException | UncheckedIOException e) {
        return crashed(e);
      }
    }
    if (dice < 8) {
      now = now.plusSeconds(random.nextInt(600));
      return true;
    }
    if (dice < 20) {
      compare(streams, path());
      return true;
    }
    return put(streams, dice < 75 ? appends() : List.of(other()));
  }

  private boolean crashed(RuntimeException e) {
    if (!disk.hasCrashed() && !disk.hasFailed()) {
      throw e;
    }
    story.add("crash: " + e);
    return false;
  }

  private boolean put(JournalStreams streams, List<Request> requests) {
    List<String> got;
    try {
      got =
          requests.size() == 1
              ? List.of(requests.getFirst().put(streams))
              : together(streams, requests);
    } catch (SimulatedDisk.Crash | StoreException | CompletionException e) {
      undecided = requests;
      undecidedAt = now;
      return crashed(e);
    }
    for (int i = 0; i < requests.size(); i++) {
      Request request = requests.get(i);
      story.add(request.words() + " -> " + got.get(i));
      String expected = request.put(reference);
      assertThat(got.get(i)).as(request.words()).isEqualTo(expected);
      count(expected);
    }
    return true;
  }

  private void count(String answer) {
    if (answer.startsWith("Appended")) {
      tally.appended++;
    }
    if (answer.startsWith("Duplicate")) {
      tally.repeated++;
    }
    if (answer.startsWith("Created")) {
      tally.created++;
    }
  }

  /** One commit for all, as a server has it under load. */
  private static List<String> together(JournalStreams streams, List<Request> requests) {
    List<Streams.Submission> batch = new ArrayList<>();
    List<CompletableFuture<StreamResult.ToAppend>> answers = new ArrayList<>();
    for (Request request : requests) {
      Request.Appending one = (Request.Appending) request;
      CompletableFuture<StreamResult.ToAppend> answer = new CompletableFuture<>();
      answers.add(answer);
      batch.add(new FutureSubmission(one.path(), one.append(), answer));
    }
    streams.append(batch);
    return answers.stream().map(answer -> words(answer.join())).toList();
  }

  /** Finds out how much there is of what was not answered, and holds the rest against it. */
  private void check(JournalStreams streams) {
    adopt(streams.table());
    story.add("open: " + streams.table().all());
    assertThat(streams.table()).as("what survived").isEqualTo(reference.table());
    for (String path : PATHS) {
      compare(streams, new StreamPath(path));
    }
  }

  private void adopt(StreamTable found) {
    tally.torn += undecided.isEmpty() ? 0 : 1;
    int sure = changes.size();
    Instant kept = now;
    now = undecidedAt;
    undecided.forEach(request -> request.put(reference));
    undecided = List.of();
    now = kept;
    List<StreamChange> all = changes;
    for (int there = sure; there <= all.size(); there++) {
      reference = memory(all.subList(0, there));
      reference.table().touchAll(now.toEpochMilli());
      if (reference.table().equals(found)) {
        return;
      }
    }
  }

  private void compare(Streams streams, StreamPath path) {
    int max = random.nextInt(4) == 0 ? 1 + random.nextInt(400) : Integer.MAX_VALUE;
    ReadFrom from =
        random.nextInt(3) == 0
            ? new ReadFrom.At(new Offset(random.nextInt(600)))
            : new ReadFrom.Start();
    String expected = readOn(reference, path, from, max);
    String got;
    try {
      got = readOn(streams, path, from, max);
    } catch (SimulatedDisk.Crash | StoreException | CompletionException e) {
      crashed(e);
      return;
    }
    tally.read++;
    assertThat(got).as("read %s from %s at most %d", path, from, max).isEqualTo(expected);
  }

  /** Where engines cut is theirs to choose; what they give in all is not. */
  private static String readOn(Streams streams, StreamPath path, ReadFrom from, int max) {
    StringBuilder all = new StringBuilder();
    for (ReadFrom next = from; ; ) {
      if (!(now(streams.read(path, next, max)) instanceof StreamResult.Data data)) {
        return all + words(now(streams.read(path, next, max)));
      }
      DataSlice slice = data.slice();
      String text = Fixture.content(slice);
      boolean json = slice.head().config().type().json();
      all.append(json ? text.substring(1, text.length() - 1) + "," : text);
      if (slice.upToDate()) {
        return all + " to " + slice.next() + (slice.closed() ? " closed" : "");
      }
      assertThat(slice.next()).isGreaterThan(slice.from());
      next = new ReadFrom.At(slice.next());
    }
  }

  static <A> A now(CompletionStage<A> stage) {
    return stage.toCompletableFuture().join();
  }

  private StreamPath path() {
    return new StreamPath(PATHS[random.nextInt(PATHS.length)]);
  }

  private List<Request> appends() {
    List<Request> requests = new ArrayList<>();
    for (int i = 1 + random.nextInt(6); i > 0; i--) {
      requests.add(append());
    }
    return requests;
  }

  private Request append() {
    StreamPath path = path();
    boolean json = path.text().equals("a") || random.nextInt(30) == 0;
    StringBuilder raw = new StringBuilder(json ? "[" : "");
    for (int i = 1 + random.nextInt(5); i > 0; i--) {
      raw.append(random.nextInt(1_000_000)).append(json && i > 1 ? "," : "");
    }
    raw.append(json ? "]" : "");
    AppendRequest append =
        AppendRequest.of(
            json ? ContentType.JSON : ContentType.BYTES,
            raw.toString().getBytes(StandardCharsets.UTF_8));
    if (random.nextInt(100) == 0) {
      append = append.closing();
    }
    append =
        switch (random.nextInt(6)) {
          case 0 -> append;
          case 1 ->
              append.by(new AppendSender.Managed("m", OptionalLong.empty(), random.nextInt(3)));
          default -> append.by(next(path));
        };
    AppendRequest request = append;
    return new Request.Appending(
        path, request, "append %s %s %s".formatted(path, raw, append.sender()));
  }

  /** Mostly what comes next, sometimes what came before. */
  private ProducerTuple next(StreamPath path) {
    String id = random.nextBoolean() ? "p" : "q";
    Optional<StreamResult.Producer> known =
        now(reference.producers(path)).stream()
            .filter(p -> p.id().equals(id) && !p.managed())
            .findFirst();
    long epoch = known.map(StreamResult.Producer::epoch).orElse(0L);
    long last = known.map(p -> p.lastSeq().orElse(-1)).orElse(-1L);
    return switch (random.nextInt(10)) {
      case 0 -> new ProducerTuple(id, epoch, Math.max(0, last));
      case 1 -> new ProducerTuple(id, epoch + 1, 0);
      default -> new ProducerTuple(id, epoch, last + 1);
    };
  }

  private Request other() {
    StreamPath path = path();
    return switch (random.nextInt(12)) {
      case 0, 1 ->
          new Request.Other("delete " + path, s -> now(s.delete(path)).getClass().getSimpleName());
      case 2 -> new Request.Appending(path, AppendRequest.closeOnly(), "close " + path);
      case 3, 4 -> new Request.Other("sweep", s -> "swept " + now(s.sweep()));
      case 5 ->
          new Request.Other("fence " + path, s -> "fenced " + now(s.fence(path, "p", false, 40)));
      case 6, 7 -> fork(path);
      default -> create(path);
    };
  }

  private Request create(StreamPath path) {
    ContentType type = path.text().equals("a") ? ContentType.JSON : ContentType.BYTES;
    StreamExpiry expiry =
        random.nextInt(4) == 0 ? new StreamExpiry.Idle(900) : StreamExpiry.never();
    CreateRequest create = CreateRequest.of(path, type).withExpiry(expiry);
    CreateRequest request =
        random.nextBoolean()
            ? create
            : create.withBody(("[" + random.nextInt(99) + "]").getBytes(StandardCharsets.UTF_8));
    return new Request.Other("create " + path, s -> created(now(s.create(request))));
  }

  private Request fork(StreamPath path) {
    StreamPath source = path();
    Optional<Offset> offset =
        random.nextBoolean() ? Optional.empty() : Optional.of(new Offset(random.nextInt(60)));
    long beyond = offset.isEmpty() ? 0 : random.nextInt(3);
    CreateRequest request = CreateRequest.fork(path, new StreamFork(source, offset, beyond));
    tally.forks++;
    return new Request.Other(
        "fork %s from %s at %s+%d".formatted(path, source, offset, beyond),
        s -> created(now(s.create(request))));
  }

  private static String created(StreamResult.ToCreate answer) {
    return answer instanceof StreamResult.Malformed ? "Malformed" : answer.toString();
  }

  static String words(StreamResult answer) {
    return switch (answer) {
      case StreamResult.Malformed m -> "Malformed";
      default -> answer.toString();
    };
  }
}
