package dev.semel.cli.prove;

import dev.semel.InvalidInput;
import dev.semel.cli.connect.DatabaseOption;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.proof.ProofPart;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.StoreProof;
import dev.semel.proof.flow.FlowProof;
import dev.semel.proof.flow.ProvedFlow;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * What a call of {@code semel prove} is to prove, part by part. Checked when it is made: nothing is
 * opened before all of it makes sense.
 */
final class ProofParts {
  /** Servers that share streams, however many workers there are. */
  private static final int MAX_SERVERS = 3;

  private static final int RADIX = 36;

  private final Path here;
  private final Named named;
  private final String run = Long.toString(System.currentTimeMillis(), RADIX);

  /**
   * What the call names.
   *
   * @param token for Semel servers; empty: none
   */
  record Named(
      Optional<String> store,
      Optional<String> database,
      Optional<String> broker,
      Optional<String> streams,
      String token) {
    int count() {
      return (int) List.of(store, database, streams).stream().filter(Optional::isPresent).count();
    }

    /** Never a URL, nor the token. */
    @Override
    public String toString() {
      return "Named[" + count() + "]";
    }
  }

  /**
   * @param here where relative paths begin
   * @throws InvalidInput it makes no sense
   */
  ProofParts(Path here, Named named) {
    this.here = here;
    this.named = named;
    if (named.broker().isPresent() && named.database().isEmpty()) {
      throw new InvalidInput(
          "--broker says how messages of a database travel: name the database with --database");
    }
    named.store().ifPresent(StoreUrls::requireKnown);
    named.database().ifPresent(DatabaseOption::requireSql);
    named.broker().ifPresent(url -> new ProofBroker(url, run, ""));
    named.streams().ifPresent(url -> ProofStreams.of(url, here, run, 1, true));
  }

  int count() {
    return named.count();
  }

  /**
   * Runs one after the other.
   *
   * @param plan of each
   * @param folder for what processes write down
   */
  List<ProofPart> prove(ProofPlan plan, Path folder, ProofProgress progress) {
    List<ProofPart> parts = new ArrayList<>();
    named
        .store()
        .ifPresent(
            url ->
                parts.add(
                    new StoreProof(ProofTargets.of(url, here), plan, in(folder, "store"), progress)
                        .run()));
    named
        .database()
        .ifPresent(
            url ->
                parts.add(
                    prove(
                        () -> messages(url, plan, folder),
                        plan,
                        in(folder, "messages"),
                        progress)));
    named
        .streams()
        .ifPresent(
            url ->
                parts.add(prove(() -> streams(url, plan), plan, in(folder, "streams"), progress)));
    return parts;
  }

  /** Processes of different parts may have the same name. */
  private static Path in(Path folder, String part) {
    try {
      return Files.createDirectory(folder.resolve(part));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whatever happens, also when this process is ended: what the proof made is removed. */
  private static ProofPart prove(
      Supplier<ProvedFlow> opening, ProofPlan plan, Path folder, ProofProgress progress) {
    progress.at("opening", Duration.ZERO, 0, 0);
    ProvedFlow flow = opening.get();
    Thread atExit = new Thread(flow::close, "semel-prove-clean");
    Runtime.getRuntime().addShutdownHook(atExit);
    try {
      return new FlowProof(plan, folder, progress).run(flow);
    } finally {
      if (removed(atExit)) {
        flow.close();
      }
    }
  }

  /** False: the process ends, and the hook is at it. */
  private static boolean removed(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Over the broker that was named, or else over our own streams. */
  private ProvedFlow messages(String url, ProofPlan plan, Path folder) {
    if (named.broker().isPresent()) {
      return over(url, plan, new ProofBroker(named.broker().get(), run, named.token()));
    }
    String streams = named.streams().orElse("journal:" + folder);
    ProofStreams server = ProofStreams.of(streams, here, run + "m", 1, plan.keep());
    ProofBroker broker = new ProofBroker(server.addresses().get(0), run, named.token());
    server.requireThere(named.token());
    return server.own() ? flow(url, plan, broker, Optional.of(server)) : over(url, plan, broker);
  }

  /** One that can't be reached is told before anything is made in the database. */
  private MessageFlow over(String url, ProofPlan plan, ProofBroker broker) {
    broker.connect().close();
    return flow(url, plan, broker, Optional.empty());
  }

  private MessageFlow flow(
      String url, ProofPlan plan, ProofBroker broker, Optional<ProofStreams> own) {
    return new MessageFlow(
        ProofDatabase.create(url, here, run, plan.keep()), broker, own, MessageWorker.class);
  }

  private ProvedFlow streams(String url, ProofPlan plan) {
    int servers = Math.clamp(plan.workers(), 2, MAX_SERVERS);
    ProofStreams streams = ProofStreams.of(url, here, run, servers, plan.keep());
    streams.requireThere(named.token());
    return new StreamsFlow(streams, run, named.token());
  }
}
