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
 * The parts of one call of {@code semel prove}. The constructor checks all of them, so that nothing
 * is opened before everything makes sense.
 */
final class ProofParts {
  /** Limit of servers that share streams, for any number of workers. */
  private static final int MAX_SERVERS = 3;

  private static final int RADIX = 36;

  private final Path here;
  private final Named named;
  private final String run = Long.toString(System.currentTimeMillis(), RADIX);

  /**
   * Targets that the call names.
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

    /** Omits URLs and token. */
    @Override
    public String toString() {
      return "Named[" + count() + "]";
    }
  }

  /**
   * @param here base of relative paths
   * @param named targets to prove
   * @throws InvalidInput they make no sense
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
   * Runs the parts one after the other.
   *
   * @param plan of each
   * @param folder for the notes of processes
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

  /** A folder for each part, because processes of two parts may have the same name. */
  private static Path in(Path folder, String part) {
    try {
      return Files.createDirectory(folder.resolve(part));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Removes what the proof has made in every case, also if this process is ended. */
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

  /** False: the process is ending, and the hook does it. */
  private static boolean removed(Thread hook) {
    try {
      return Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException e) {
      return false;
    }
  }

  /** Uses the named broker, or else our own streams. */
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

  /** Connects first, so that an unreachable broker is reported before tables are created. */
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
