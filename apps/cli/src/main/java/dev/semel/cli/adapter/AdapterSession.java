package dev.semel.cli.adapter;

import dev.semel.InvalidInput;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.StreamClient;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The state between the commands of one {@code init}. For one thread. */
final class AdapterSession implements AutoCloseable {
  /** Limit of streams whose types are remembered; older types are requested again. */
  static final int MAX_KNOWN_TYPES = 10_000;

  private final StreamClient client;
  private final String server;
  private final AdapterCall.Dynamic dynamic =
      new AdapterCall.Dynamic(new DynamicValues(), new DynamicValues());
  private final AdapterProducers producers = new AdapterProducers();
  private final Map<String, ContentType> types =
      new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, ContentType> eldest) {
          return size() > MAX_KNOWN_TYPES;
        }
      };

  private AdapterSession(StreamClient client, String server) {
    this.client = client;
    this.server = server;
  }

  /** Sends nothing yet. */
  static AdapterSession open(String serverUrl, Optional<Duration> timeout) {
    StreamClient plain = StreamClient.create();
    try {
      StreamClient client = timeout.map(plain::withTimeout).orElse(plain);
      AdapterSession session = new AdapterSession(client, serverUrl.replaceFirst("/+$", ""));
      client.at(session.address("/"));
      return session;
    } catch (RuntimeException e) {
      plain.close();
      throw e;
    }
  }

  /** The message omits the address, which may hold a password. */
  private URI address(String path) {
    if (!path.startsWith("/")) {
      throw new InvalidInput("a stream's path begins with a slash, such as /orders");
    }
    try {
      return URI.create(server + path);
    } catch (IllegalArgumentException e) {
      throw new InvalidInput(
          "serverUrl and path make no address: write them as they stand in one, encoded");
    }
  }

  AdapterCall call(CommandFields command) {
    String path = command.text("path");
    return new AdapterCall(
        client,
        dynamic,
        command.map("headers"),
        address(path),
        Optional.ofNullable(types.get(path)));
  }

  /** A call for a command that has no path. */
  AdapterCall callAt(String path) {
    return new AdapterCall(client, dynamic, Map.of(), address(path), Optional.empty());
  }

  void learn(String path, ContentType type) {
    types.put(path, type);
  }

  /** The stream is gone, so everything known about it is dropped. */
  void forget(String path) {
    types.remove(path);
    producers.forget(path);
  }

  AdapterCall.Dynamic dynamic() {
    return dynamic;
  }

  AdapterProducers producers() {
    return producers;
  }

  @Override
  public void close() {
    producers.close();
    client.close();
  }
}
