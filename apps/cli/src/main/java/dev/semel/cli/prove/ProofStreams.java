package dev.semel.cli.prove;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.cli.TemporaryFolder;
import dev.semel.cli.connect.StoreUrls;
import dev.semel.cli.connect.StreamUrls;
import dev.semel.nats.JetStreamLog;
import dev.semel.nats.StreamsSettings;
import dev.semel.proof.flow.ProvedFlow;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamInfo;
import dev.semel.stream.client.StreamRefused;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * The servers of streams in a proof: started by the proof on a new folder or JetStream stream, or
 * one that runs already. Closing removes what the proof has made.
 */
public final class ProofStreams implements AutoCloseable {
  private final String url;
  private final List<String> addresses;
  private final boolean keep;

  /** Parent folders of a journal that did not exist before the proof, the innermost first. */
  private final List<Path> around;

  private ProofStreams(String url, List<String> addresses, boolean keep, List<Path> around) {
    this.url = url;
    this.addresses = List.copyOf(addresses);
    this.keep = keep;
    this.around = around;
  }

  /**
   * The servers for a URL; starts nothing yet.
   *
   * @param most limit of servers that share the streams, if they can
   * @param keep whether to keep everything at the end
   */
  public static ProofStreams of(String url, Path folder, String run, int most, boolean keep) {
    return switch (StreamUrls.scheme(url)) {
      case "journal" -> {
        Path parent = StreamUrls.journalFolder(url, folder);
        String own = "journal:" + parent.resolve("semel-prove-" + run);
        yield new ProofStreams(own, free(1), keep, missing(parent));
      }
      case "nats", "tls" -> {
        String own = url + (url.indexOf('?') < 0 ? "?" : "&") + "stream=SEMEL_PROVE_" + run;
        StreamsSettings unused = StreamsSettings.parse(own);
        yield new ProofStreams(own, free(most), keep, List.of());
      }
      case "http", "https" -> new ProofStreams(url, List.of(address(url)), keep, List.of());
      case "memory" ->
          throw new InvalidInput(
              "streams in memory end with their server, so there is nothing to prove: use journal:DIR");
      default -> throw StreamUrls.unknown(url);
    };
  }

  private static List<Path> missing(Path folder) {
    return Stream.iterate(folder, Objects::nonNull, Path::getParent)
        .takeWhile(Files::notExists)
        .toList();
  }

  private static String address(String url) {
    try {
      URI uri = new URI(url);
      if (uri.getHost() != null) {
        return uri.getScheme() + "://" + uri.getRawAuthority();
      }
    } catch (URISyntaxException e) {
      // The message below omits the address, which may hold a password.
    }
    throw new InvalidInput(
        "the server's address is not valid: write it like http://127.0.0.1:4437");
  }

  /** Free ports, which servers keep over all their restarts. */
  private static List<String> free(int count) {
    List<ServerSocket> held = new ArrayList<>();
    try {
      for (int i = 0; i < count; i++) {
        held.add(new ServerSocket(0, 1, InetAddress.getLoopbackAddress()));
      }
      return held.stream().map(each -> "http://127.0.0.1:" + each.getLocalPort()).toList();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } finally {
      held.forEach(ProofStreams::close);
    }
  }

  private static void close(ServerSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Whether the proof starts the servers, and may kill them. */
  boolean own() {
    return !StreamUrls.remote(url);
  }

  /** Whether everything stays at the end. */
  boolean kept() {
    return keep;
  }

  /** Scheme, host and port of each server. */
  public List<String> addresses() {
    return addresses;
  }

  String describe() {
    return switch (StreamUrls.scheme(url)) {
      case "journal" -> "a Semel server on a journal";
      case "nats", "tls" ->
          "%d Semel %s on NATS at %s"
              .formatted(
                  addresses.size(),
                  addresses.size() == 1 ? "server" : "servers",
                  StreamsSettings.parse(url).shown());
      default -> "the Semel server at " + StoreUrls.withoutSecrets(url);
    };
  }

  /** The servers as processes; empty if one runs already. */
  List<ProvedFlow.Member> members() {
    List<ProvedFlow.Member> members = new ArrayList<>();
    if (own()) {
      for (String address : addresses) {
        members.add(
            new ProvedFlow.Member(
                "server-" + (members.size() + 1),
                ProvedFlow.Duty.SERVES,
                StreamsServer.class,
                Map.of("streams", url, "port", address.substring(address.lastIndexOf(':') + 1)),
                List.of()));
      }
    }
    return members;
  }

  /** A client for one of them. */
  public static StreamClient client(String address, String token) {
    StreamClient client = StreamClient.connect(URI.create(address));
    return token.isEmpty() ? client : client.withToken(token);
  }

  @Override
  public void close() {
    if (keep) {
      return;
    }
    switch (StreamUrls.scheme(url)) {
      case "journal" -> {
        Path own = Path.of(url.substring(url.indexOf(':') + 1));
        if (Files.exists(own)) { // else it was never created
          new TemporaryFolder(own).close();
        }
        around.forEach(ProofStreams::removeIfEmpty);
      }
      case "nats", "tls" -> JetStreamLog.removeStreams(StreamsSettings.parse(url));
      default -> {} // the flow deletes the streams of a running server
    }
  }

  /** Keeps a folder in which others have put something meanwhile. */
  private static void removeIfEmpty(Path folder) {
    try {
      Files.deleteIfExists(folder);
    } catch (DirectoryNotEmptyException e) {
      // And so the folder stays, too.
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Checks that something answers.
   *
   * @throws StoreException NATS or the server can't be reached
   */
  void requireThere(String token) {
    switch (StreamUrls.scheme(url)) {
      case "nats", "tls" -> JetStreamLog.openStreams(StreamsSettings.parse(url)).close();
      case "http", "https" -> {
        try (StreamClient client = client(addresses.get(0), token)) {
          StreamInfo unused = client.stream("semel-prove").info();
        } catch (StreamRefused e) {
          if (e.reason() != StreamRefused.Reason.NOT_FOUND) {
            throw e;
          }
        }
      }
      default -> {} // the proof creates a folder
    }
  }
}
