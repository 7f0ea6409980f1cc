package dev.semel.cli.prove;

import dev.semel.StoreException;
import dev.semel.json.Json;
import dev.semel.json.JsonValue.JsonObject;
import dev.semel.json.JsonValue.JsonString;
import dev.semel.proof.ProofPlan;
import dev.semel.proof.ProofProgress;
import dev.semel.proof.fault.ProcessFault;
import dev.semel.proof.flow.FlowJudgement;
import dev.semel.proof.flow.ProcessNote;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.proof.flow.StreamJudge;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.StreamChunk;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;

/** Producers and racing writers on durable streams, whose servers are killed meanwhile. */
public final class StreamsFlow implements ProvedFlow {
  /** Limit of entries of all clients together, so that the judge can hold them. */
  private static final int MAX_ENTRIES = 200_000;

  private static final int MAX_PER_SECOND = 400;

  /** A process that is paused for longer than this finds its requests timed out. */
  private static final Duration LEASE = Duration.ofSeconds(2);

  private static final Duration PATIENCE = Duration.ofSeconds(30);

  private final ProofStreams servers;
  private final String run;
  private final String token;
  private StreamJudge.Harvest harvest =
      new StreamJudge.Harvest(Map.of(), List.of(), Map.of(), Optional.of("nothing was read"));

  public StreamsFlow(ProofStreams servers, String run, String token) {
    this.servers = servers;
    this.run = run;
    this.token = token;
  }

  @Override
  public About about() {
    return new About(
        "streams",
        "Durable streams",
        servers.describe(),
        "Each client appends as a producer of its own, and as one whose id all clients take from"
            + " each other; and all race for every place of a stream, with compare-and-append."
            + (servers.own()
                ? " Servers are killed and stopped, too."
                : " The server was there already, and is left alone.")
            + " Afterwards everything is read from every server.",
        "Nothing acknowledged is lost, nothing is there twice",
        "entries");
  }

  @Override
  public Duration lease() {
    return LEASE;
  }

  @Override
  public Map<ProcessFault, String> leftOut(List<ProcessFault> faults) {
    Map<ProcessFault, String> left = new EnumMap<>(ProcessFault.class);
    if (ProofTargets.reach(servers.addresses().get(0)) instanceof ProofTargets.Reach.Not not) {
      faults.stream()
          .filter(ProcessFault::ofTheNetwork)
          .forEach(fault -> left.put(fault, not.why()));
    }
    return left;
  }

  @Override
  public List<Member> members(ProofPlan plan) {
    List<Member> members = new ArrayList<>(servers.members());
    int clients = Math.max(2, plan.workers()); // else there is no race
    int perSecond =
        Math.clamp(MAX_ENTRIES / plan.length().toSeconds(), 2 * clients, MAX_PER_SECOND);
    for (int number = 1; number <= clients; number++) {
      String server = servers.addresses().get(number % servers.addresses().size());
      members.add(
          new Member(
              "client-" + number,
              Duty.WRITES,
              StreamsWorker.class,
              Map.of(
                  "server", server,
                  "run", run,
                  "token", token,
                  "number", Integer.toString(number),
                  "per_second", Integer.toString(perSecond / clients / 2)),
              MessageFlow.way("server", ProofTargets.reach(server)).stream().toList()));
    }
    return members;
  }

  /** Reads everything while the servers run. */
  @Override
  public void settle(ProofProgress progress) {
    Map<String, List<String>> first = new HashMap<>();
    Map<String, String> differing = new HashMap<>();
    try {
      for (String address : servers.addresses()) {
        try (StreamClient client = ProofStreams.client(address, token)) {
          for (String stream : StreamsWorker.ALL) {
            List<String> read = read(client, stream);
            List<String> before = first.putIfAbsent(stream, read);
            if (before != null && !before.equals(read)) {
              differing.put(
                  stream,
                  "the server at %s shows %d entries of %s, or in another order, and the first one %d"
                      .formatted(address, read.size(), stream, before.size()));
            }
          }
        }
      }
      List<String> raced = Objects.requireNonNull(first.remove(StreamsWorker.RACE));
      List<StreamJudge.Place> race = raced.stream().map(StreamsFlow::place).toList();
      harvest = new StreamJudge.Harvest(first, race, differing, Optional.empty());
    } catch (StoreException e) {
      harvest =
          new StreamJudge.Harvest(
              Map.of(),
              List.of(),
              Map.of(),
              Optional.of("the streams could not be read at the end: " + e.getMessage()));
    }
  }

  /** A missing stream has no entries. */
  private List<String> read(StreamClient client, String stream) {
    List<String> all = new ArrayList<>();
    try (StreamReader reader =
        client.stream(StreamsWorker.path(run, stream))
            .read(ReadOptions.defaults().withPatience(PATIENCE))) {
      for (Optional<StreamChunk> chunk = reader.next(); chunk.isPresent(); chunk = reader.next()) {
        chunk.get().messages().forEach(message -> all.add(entry(message)));
      }
    } catch (StreamRefused e) {
      if (e.reason() != StreamRefused.Reason.NOT_FOUND) {
        throw e;
      }
    }
    return all;
  }

  /** The text of a JSON text; anything else unchanged. */
  private static String entry(String message) {
    return Json.parse(message) instanceof JsonString text ? text.text() : message;
  }

  private static StreamJudge.Place place(String message) {
    JsonObject read = (JsonObject) Json.parse(message);
    return new StreamJudge.Place(text(read, "entry"), Long.parseLong(text(read, "place")));
  }

  private static String text(JsonObject read, String name) {
    return ((JsonString) read.get(name).orElseThrow()).text();
  }

  @Override
  public FlowJudgement judge(List<ProcessNote> notes) {
    return StreamJudge.judge(notes, StreamsWorker.RACE, harvest);
  }

  @Override
  public List<String> hazards() {
    return List.of();
  }

  @Override
  public void close() {
    if (!servers.own() && !servers.kept()) {
      try (StreamClient client = ProofStreams.client(servers.addresses().get(0), token)) {
        for (String stream : StreamsWorker.ALL) {
          try {
            client.stream(StreamsWorker.path(run, stream)).delete();
          } catch (StreamRefused e) {
            // It was never created, or is gone.
          }
        }
      }
    }
    servers.close();
  }
}
