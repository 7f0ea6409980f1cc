package dev.semel.proof.simulation;

import dev.semel.StoreException;
import dev.semel.proof.history.LogChecker;
import dev.semel.stream.ContentType;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.StreamPath;
import dev.semel.stream.client.IdempotentProducer;
import dev.semel.stream.client.ProducerAck;
import dev.semel.stream.client.ProducerException;
import dev.semel.stream.client.ProducerListener;
import dev.semel.stream.client.ProducerSettings;
import dev.semel.stream.client.internal.BatchRequest;
import dev.semel.stream.client.internal.BatchResult;
import dev.semel.stream.client.internal.BatchTransport;
import dev.semel.stream.client.internal.EngineBatchTransport;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.CreateRequest;
import dev.semel.stream.spi.ReadFrom;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamResult;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.function.Consumer;

/**
 * Real producers append to one stream with the real rules, while requests and answers get lost,
 * arrive late and overtake each other, batches are refused, and processes are frozen, killed and
 * replaced with the same producer id. In the end every acknowledged entry must be there once and in
 * order, and an answer that an entry is missing must be right.
 */
public final class ProducerSimulation {
  private static final StreamPath PATH = new StreamPath("simulated");
  private static final int PRODUCERS = 2;
  private static final int LIVES = 6;
  private static final int MESSAGES = 25;
  private static final int MOST_KILLS = 3;
  private static final Duration LONGEST_DELAY = Duration.ofSeconds(3);
  private static final Duration LOOK_EVERY = Duration.ofMillis(50);
  private static final double[] FAULTS_PER_CALL = {0, 0.02, 0.1, 0.3};

  /** The server refuses a message with this in it, and its batch. */
  private static final String REFUSED = "X";

  private final SimulatedWorld world;
  private final Random random;
  private final SimulatedMachine server;
  private final SimulatedNetwork network;
  private final MemoryStreams streams;
  private final ContentType type;
  private final Mutation mutation;
  private final List<Life> lives = new ArrayList<>();
  private final List<String> wrong = new ArrayList<>();

  /** Receives a producer's requests. */
  @FunctionalInterface
  public interface Desk {
    BatchResult take(BatchRequest batchRequest);
  }

  /** A defect of the server, to test whether the checker notices it. */
  @FunctionalInterface
  public interface Mutation {
    /** The correct server. */
    Mutation NONE = desk -> desk;

    Desk of(Desk desk);
  }

  /**
   * The result of a run.
   *
   * @param wrong one sentence for each fault
   * @param outcomes the number of messages by outcome
   * @param steps equal in two runs of one seed
   */
  public record Result(
      List<String> wrong, Map<String, Integer> outcomes, Map<String, Integer> faults, long steps) {}

  private ProducerSimulation(long seed, Mutation mutation) {
    this.world = new SimulatedWorld(seed);
    this.random = world.random();
    this.server = new SimulatedMachine(world, "server", 0, Duration.ZERO);
    this.network = new SimulatedNetwork(world, server, LONGEST_DELAY);
    this.streams = new MemoryStreams(server.clock());
    this.type = random.nextBoolean() ? ContentType.JSON : ContentType.parse("text/plain");
    this.mutation = mutation;
  }

  /** Runs one seed to its end. */
  public static Result run(long seed, Mutation mutation) {
    return new ProducerSimulation(seed, mutation).run();
  }

  private Result run() {
    streams
        .create(
            new CreateRequest(
                PATH,
                Optional.of(type),
                new StreamExpiry.Never(),
                false,
                AppendBody.EMPTY,
                Optional.empty()))
        .toCompletableFuture()
        .join();
    world.run(server, this::direct);
    List<String> read = read();
    Set<String> there = Set.copyOf(read);
    List<LogChecker.Append> appends = new ArrayList<>();
    Map<String, Integer> outcomes = new TreeMap<>();
    for (Life life : lives) {
      for (Appended each : life.appended) {
        String outcome = each.outcome();
        outcomes.merge(outcome, 1, Integer::sum);
        appends.add(new LogChecker.Append(life.name, each.text, outcome.equals("acknowledged")));
        if (outcome.equals("failed") && there.contains(each.text)) {
          wrong.add("%s was said not to be there, and is".formatted(each.text));
        }
        if (outcome.equals("open") && !life.platform.dead()) {
          wrong.add("nobody was told what became of " + each.text);
        }
        if (outcome.equals("misled")) {
          wrong.add("%s failed for a reason that can't be".formatted(each.text));
        }
      }
    }
    wrong.addAll(LogChecker.check(appends, read));
    Map<String, Integer> faults = new TreeMap<>();
    network.injected().forEach((fault, count) -> faults.put(fault.name(), count));
    return new Result(List.copyOf(wrong), outcomes, faults, world.steps());
  }

  private List<String> read() {
    StreamResult.ToRead answer =
        streams.read(PATH, new ReadFrom.Start(), Integer.MAX_VALUE).toCompletableFuture().join();
    if (!(answer instanceof StreamResult.Data data)) {
      throw new IllegalStateException("the stream can't be read: " + answer);
    }
    String text = new String(data.slice().body(), StandardCharsets.UTF_8);
    String separator = type.json() ? "," : ";";
    String bare = type.json() ? text.substring(1, text.length() - 1).replace("\"", "") : text;
    return bare.isEmpty() ? List.of() : List.of(bare.split(separator));
  }

  private void direct() {
    network.weather(FAULTS_PER_CALL[random.nextInt(FAULTS_PER_CALL.length)], MOST_KILLS);
    List<Life> running = new ArrayList<>();
    while (lives.size() < LIVES || running.stream().anyMatch(Life::works)) {
      if (lives.size() < LIVES && random.nextInt(10) == 0) {
        running.add(begin());
      }
      world.sleep(LOOK_EVERY.toNanos());
    }
    network.weather(0, 0);
    world.sleep(LONGEST_DELAY.multipliedBy(2).toNanos());
    running.forEach(life -> life.platform.kill());
  }

  private Life begin() {
    String id = "p" + random.nextInt(PRODUCERS);
    String name = id + "-" + lives.size();
    SimulatedMachine platform =
        new SimulatedMachine(world, name, random.nextLong() >> 8, Duration.ZERO);
    Life life = new Life(id, name, platform);
    lives.add(life);
    platform.start("main", life::live);
    return life;
  }

  private ProducerSettings settings() {
    Duration giveUp = random.nextInt(4) == 0 ? Duration.ofSeconds(1) : Duration.ofMinutes(10);
    return ProducerSettings.defaults()
        .withClaimsAfterFencing(random.nextBoolean())
        .withMaxBatchBytes(1 + random.nextInt(40))
        .withLinger(Duration.ofMillis(random.nextInt(3) * 5L))
        .withMaxInFlight(1 + random.nextInt(ProducerSettings.MOST_IN_FLIGHT))
        .withMaxPending(100 + random.nextInt(200), Duration.ofMinutes(30))
        .withTimeouts(LONGEST_DELAY, giveUp);
  }

  private static final class Appended {
    private final String text;
    private final CompletableFuture<ProducerAck> future;

    Appended(String text, CompletableFuture<ProducerAck> future) {
      this.text = text;
      this.future = future;
    }

    String outcome() {
      if (!future.isDone()) {
        return "open";
      }
      try {
        ProducerAck ack = future.join();
        return ack.messages() > 0 ? "acknowledged" : "strange";
      } catch (CompletionException e) {
        if (!(e.getCause() instanceof ProducerException failure)
            || failure instanceof ProducerException.SequenceGap
            || failure instanceof ProducerException.EpochTaken) {
          return "misled"; // the server forgets nothing here, and epochs almost certainly differ
        }
        return failure.batch().orElseThrow().inDoubt() ? "in doubt" : "failed";
      }
    }
  }

  /** A process that appends some messages, and then waits for them. */
  private final class Life {
    private final String id;
    private final String name;
    private final SimulatedMachine platform;
    private final List<Appended> appended = new ArrayList<>();
    private boolean over;

    Life(String id, String name, SimulatedMachine platform) {
      this.id = id;
      this.name = name;
      this.platform = platform;
    }

    boolean works() {
      return !over && !platform.dead();
    }

    private void live() {
      BatchTransport transport = new SimulatedSender(platform);
      IdempotentProducer producer =
          IdempotentProducer.open(platform, transport, type, id, settings(), ProducerListener.NONE);
      try {
        appendAll(producer);
      } catch (ProducerException e) {
        // The producer stopped; earlier appends have their answers.
      }
      try {
        producer.close();
      } catch (ProducerException e) {
        // The producer stopped here, too.
      }
      if (producer.pendingCount() != 0) {
        wrong.add("%s is closed and has messages pending".formatted(name));
      }
      over = true;
    }

    private void appendAll(IdempotentProducer producer) {
      for (int i = 0; i < MESSAGES; i++) {
        String text = name + "-" + i + (random.nextInt(40) == 0 ? REFUSED : "");
        String message = type.json() ? '"' + text + '"' : text + ";";
        appended.add(
            new Appended(text, producer.appendAsync(message.getBytes(StandardCharsets.UTF_8))));
        if (random.nextInt(8) == 0) {
          world.sleep(random.nextLong(Duration.ofSeconds(1).toNanos()));
        }
        if (random.nextInt(20) == 0) {
          flush(producer);
        }
      }
    }

    private void flush(IdempotentProducer producer) {
      try {
        producer.flush();
      } catch (ProducerException.Refused e) {
        // One batch fails with an answer; the others go on.
      }
    }
  }

  /** Every request takes a different time, so that they overtake each other. */
  private final class SimulatedSender implements BatchTransport {
    private final SimulatedMachine process;
    private final Desk desk;
    private final List<Consumer<BatchResult>> open = new ArrayList<>();
    private boolean closed;

    SimulatedSender(SimulatedMachine process) {
      this.process = process;
      this.desk = network.between(process, Desk.class, mutation.of(this::take));
    }

    private BatchResult take(BatchRequest batchRequest) {
      if (new String(batchRequest.body(), StandardCharsets.UTF_8).contains(REFUSED)) {
        return new BatchResult.Refused(413, "too large", true);
      }
      if (random.nextInt(30) == 0) {
        return new BatchResult.NotYet(new StoreException("busy"), Duration.ofMillis(10));
      }
      List<BatchResult> answers = new ArrayList<>();
      new EngineBatchTransport(streams, PATH, type).send(batchRequest, answers::add);
      return answers.getFirst();
    }

    @Override
    public void send(BatchRequest batchRequest, Consumer<BatchResult> reply) {
      if (closed) {
        wrong.add("something was sent after the producer was closed");
      }
      open.add(reply);
      process.beside("request", () -> answer(batchRequest, reply));
    }

    private void answer(BatchRequest batchRequest, Consumer<BatchResult> reply) {
      BatchResult receipt;
      try {
        receipt = desk.take(batchRequest);
      } catch (StoreException e) {
        receipt = new BatchResult.Lost(e);
      }
      if (open.remove(reply)) {
        reply.accept(receipt);
      }
    }

    @Override
    public void close() {
      closed = true;
      List.copyOf(open)
          .forEach(each -> each.accept(new BatchResult.Lost(new StoreException("closed"))));
      open.clear();
    }
  }
}
