package dev.semel.benchmarks.streams;

import dev.semel.benchmarks.Commands;
import dev.semel.benchmarks.Figure;
import dev.semel.benchmarks.Findings;
import dev.semel.benchmarks.Rounds;
import dev.semel.benchmarks.streams.Wrk.Result;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/**
 * Appends and reads over HTTP: our server, a bare handler, and the Node server with its file store.
 */
public final class StreamsBenchmark {
  private static final int ROUNDS = 5;
  private static final int SECONDS = 3;
  private static final int STREAMS = 64;
  private static final int KB = 1 << 10;
  private static final int MB = 1 << 20;

  private final Findings out;
  private final Wrk wrk;
  private final HttpClient client = HttpClient.newHttpClient();
  private final Map<String, Served> servers = new LinkedHashMap<>();

  private StreamsBenchmark(Findings out, Wrk wrk) {
    this.out = out;
    this.wrk = wrk;
  }

  /**
   * One kind of load.
   *
   * @param goals the smallest acceptable ratios of our rate to the others'
   */
  private record Load(
      String title, int connections, Path script, String path, Map<String, Double> goals) {}

  /** One server's results under one load. */
  private record Seen(
      List<Double> rates, List<Double> medians, List<Double> p99s, List<Double> cpu) {
    Seen() {
      this(new ArrayList<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
    }
  }

  /**
   * Runs all loads, and prints the figures.
   *
   * @param tools the folder for downloaded programs
   * @param folder for the data
   */
  public static void run(Findings out, Path tools, Path folder) throws Exception {
    StreamsBenchmark benchmark = new StreamsBenchmark(out, Wrk.in(tools));
    Path files = Files.createDirectories(folder.resolve("files/v1/stream"));
    Files.write(files.resolve("kb"), new byte[KB]);
    Files.write(files.resolve("mb"), new byte[MB]);
    Path node = nodeServer(tools);
    try (Served ours = Served.java(SemelMain.class, folder.resolve("semel").toString());
        Served bare = Served.java(BareMain.class, folder.resolve("files").toString());
        Served nodes =
            Served.node(node, node.resolve("server.mjs"), folder.resolve("node").toString())) {
      benchmark.servers.put("semel", ours);
      benchmark.servers.put("bare", bare);
      benchmark.servers.put("node", nodes);
      benchmark.prepare();
      for (Load load : benchmark.loads()) {
        benchmark.race(load);
      }
    }
  }

  private static Path nodeServer(Path tools) throws IOException {
    Path folder = Files.createDirectories(tools.resolve("node"));
    for (String name : List.of("package.json", "server.mjs")) {
      try (InputStream in =
          Objects.requireNonNull(StreamsBenchmark.class.getResourceAsStream(name), name)) {
        Files.write(folder.resolve(name), in.readAllBytes());
      }
    }
    if (!Files.exists(folder.resolve("node_modules"))) {
      Commands.run(folder, "npm", "install", "--no-audit", "--no-fund", "--no-package-lock");
    }
    return folder;
  }

  private void prepare() throws Exception {
    for (String server : List.of("semel", "node")) {
      put(server, "one", 0);
      put(server, "kb", KB);
      put(server, "mb", MB);
      for (int i = 0; i < STREAMS; i++) {
        put(server, "many" + i, 0);
      }
    }
  }

  private void put(String server, String path, int bytes) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(url(server, path)))
            .header("Content-Type", "application/octet-stream")
            .PUT(bytes == 0 ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(new byte[bytes]))
            .build();
    HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
    if (response.statusCode() != 201) {
      throw new IOException(server + " refused a stream: " + response.statusCode());
    }
  }

  private String url(String server, String path) {
    return Objects.requireNonNull(servers.get(server)).url() + "/v1/stream/" + path;
  }

  private List<Load> loads() throws IOException {
    Path one =
        wrk.script(
            "one",
            """
            wrk.method = "POST"
            wrk.body = string.rep("x", 100)
            wrk.headers["Content-Type"] = "application/octet-stream"
            """);
    Path many =
        wrk.script(
            "many",
            """
            local headers = { ["Content-Type"] = "application/octet-stream" }
            local requests = {}
            local n = 0
            function init(args)
              for i = 0, 63 do
                requests[i] = wrk.format("POST", wrk.path .. i, headers, string.rep("x", 100))
              end
            end
            function request()
              n = (n + 1) % 64
              return requests[n]
            end
            """);
    Path get = wrk.script("get", "");
    return List.of(
        new Load(
            "append, 1 stream, 64 connections", 64, one, "one", Map.of("node", 90.0, "bare", 0.7)),
        new Load("append, 64 streams, 64 connections", 64, many, "many", Map.of("node", 30.0)),
        new Load("append, 1 connection", 1, one, "one", Map.of()),
        new Load("read 1 KB, 64 connections", 64, get, "kb", Map.of("bare", 0.8)),
        new Load("read 1 MB, 16 connections", 16, get, "mb", Map.of("bare", 0.8)));
  }

  private void race(Load load) throws IOException {
    Map<String, Seen> seen = new LinkedHashMap<>();
    servers.keySet().forEach(name -> seen.put(name, new Seen()));
    for (String name : servers.keySet()) {
      wrk.run(
          load.connections(), out.pace().rounds(SECONDS), load.script(), url(name, load.path()));
    }
    for (int round = 0; round < out.pace().rounds(ROUNDS); round++) {
      for (Map.Entry<String, Served> server : servers.entrySet()) {
        measure(
            load,
            server.getValue(),
            Objects.requireNonNull(seen.get(server.getKey())),
            server.getKey());
      }
    }
    tell(load, seen);
  }

  private void measure(Load load, Served server, Seen seen, String name) throws IOException {
    double before = server.processorMicros();
    Result result =
        wrk.run(
            load.connections(), out.pace().rounds(SECONDS), load.script(), url(name, load.path()));
    seen.rates().add(result.rate());
    seen.medians().add(result.median());
    seen.p99s().add(result.p99());
    seen.cpu().add((server.processorMicros() - before) / result.requests());
  }

  private void tell(Load load, Map<String, Seen> seen) {
    Seen ours = Objects.requireNonNull(seen.get("semel"));
    seen.forEach(
        (name, one) ->
            out.say(
                "%-6s median %,8.0f µs   p99 %,8.0f µs   processor %,6.1f µs each",
                name,
                Rounds.median(one.medians()),
                Rounds.median(one.p99s()),
                Rounds.median(one.cpu())));
    for (String name : List.of("bare", "node")) {
      Seen other = Objects.requireNonNull(seen.get(name));
      boolean peer = name.equals("node");
      String called = peer ? "Node server" : "bare handler";
      if (load.connections() == 1) {
        beside(load.title() + ", median", ours.medians(), called, peer, other.medians());
        continue;
      }
      out.add(
          new Figure(
              load.title(),
              Rounds.median(ours.rates()),
              "/s",
              called,
              peer,
              Rounds.median(other.rates()),
              Rounds.ratios(ours.rates(), other.rates()),
              load.goals().getOrDefault(name, Double.NaN)));
      if (load.path().equals("one")) {
        beside(load.title() + ", processor time", ours.cpu(), called, peer, other.cpu());
      }
    }
  }

  private void beside(
      String title, List<Double> ours, String other, boolean peer, List<Double> others) {
    Figure figure = Figure.beside(title, Rounds.median(ours), "µs", other, Rounds.median(others));
    out.add(peer ? figure.withPeer() : figure);
  }
}
