package dev.semel.rabbitmq;

import dev.semel.InvalidInput;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * A broker, or the nodes of a cluster of which one is taken.
 *
 * @param nodes each with its port
 * @param tls whom to trust; empty: what is sent can be read by whoever is on the way
 */
public record RabbitServer(
    List<Node> nodes, String virtualHost, RabbitAccess access, Optional<SSLContext> tls) {
  private static final Pattern URL =
      Pattern.compile("([a-z+-]+)://(?:([^@/]*)@)?([^/@]+)(?:/([^/]*))?");
  private static final Pattern NODE =
      Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:\\s]+)(?::(\\d{1,5}))?");
  private static final int MAX_PORT = 65535;

  /** One of its nodes. */
  public record Node(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** What URLs look like, and which port is meant without one. */
  record Scheme(String plain, int plainPort, String secure, int securePort) {
    static final Scheme QUEUES = new Scheme("amqp", 5672, "amqps", 5671);
    static final Scheme STREAMS = new Scheme("rabbitmq-stream", 5552, "rabbitmq-stream+tls", 5551);

    String example() {
      return plain + "://user:password@127.0.0.1:" + plainPort + "/virtual-host";
    }
  }

  public RabbitServer {
    nodes = List.copyOf(nodes);
    if (nodes.isEmpty()) {
      throw new InvalidInput("there is no node of RabbitMQ to connect to: name one");
    }
  }

  /**
   * For queues: {@code amqp://user:password@host:port/virtual-host}, or {@code amqps://}; several
   * nodes have commas between them. In user, password and virtual host, other characters than
   * letters and digits may be written as {@code %} and two digits. Without a virtual host it is
   * {@code /}.
   */
  public static RabbitServer of(String url) {
    return of(url, Scheme.QUEUES);
  }

  /** For streams: {@code rabbitmq-stream://…} or {@code rabbitmq-stream+tls://…}. */
  public static RabbitServer ofStreams(String url) {
    return of(url, Scheme.STREAMS);
  }

  private static RabbitServer of(String url, Scheme scheme) {
    Matcher parts = URL.matcher(url.strip());
    if (!parts.matches()) {
      throw none(scheme);
    }
    String named = parts.group(1).toLowerCase(Locale.ROOT);
    boolean secure = named.equals(scheme.secure());
    if (!secure && !named.equals(scheme.plain())) {
      throw none(scheme);
    }
    List<Node> nodes = new ArrayList<>();
    for (String each : List.of(parts.group(3).split(",", -1))) {
      Matcher node = NODE.matcher(each.strip());
      if (!node.matches()) {
        throw none(scheme);
      }
      int port =
          node.group(2) != null
              ? Integer.parseInt(node.group(2))
              : (secure ? scheme.securePort() : scheme.plainPort());
      if (port < 1 || port > MAX_PORT) {
        throw none(scheme);
      }
      nodes.add(new Node(node.group(1), port));
    }
    String host = parts.group(4) == null || parts.group(4).isEmpty() ? "/" : decode(parts.group(4));
    return new RabbitServer(
        nodes, host, access(parts.group(2)), secure ? Optional.of(usual()) : Optional.empty());
  }

  private static RabbitAccess access(@Nullable String userInfo) {
    if (userInfo == null || userInfo.isEmpty()) {
      return RabbitAccess.guest();
    }
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? new RabbitAccess(decode(userInfo), "")
        : new RabbitAccess(
            decode(userInfo.substring(0, colon)), decode(userInfo.substring(colon + 1)));
  }

  private static String decode(String text) {
    try {
      return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      // The text itself may be a password, so it is not repeated.
      throw new InvalidInput(
          "a % in RabbitMQ's URL is not followed by two hexadecimal digits: write it as %25");
    }
  }

  private static InvalidInput none(Scheme scheme) {
    return new InvalidInput("the URL of RabbitMQ is none: it looks like " + scheme.example());
  }

  private static SSLContext usual() {
    try {
      return SSLContext.getDefault();
    } catch (NoSuchAlgorithmException e) {
      throw new InvalidInput("this JVM has no TLS of its own: give an SSLContext");
    }
  }

  /** Those who sign the broker's certificate, and a certificate of ours if it wants one. */
  public RabbitServer withTls(SSLContext context) {
    return new RabbitServer(nodes, virtualHost, access, Optional.of(context));
  }

  public RabbitServer withAccess(RabbitAccess value) {
    return new RabbitServer(nodes, virtualHost, value, tls);
  }

  /** For people: without a password. */
  String describe() {
    return "%s, virtual host %s"
        .formatted(String.join(", ", nodes.stream().map(Node::toString).toList()), virtualHost);
  }
}
