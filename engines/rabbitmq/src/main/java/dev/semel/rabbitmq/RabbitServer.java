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
 * The address of a RabbitMQ broker, or of a cluster's nodes, of which one is used.
 *
 * @param nodes each with its port
 * @param tls the trusted authorities; empty: the connection is not encrypted
 */
public record RabbitServer(
    List<Node> nodes, String virtualHost, RabbitAccess access, Optional<SSLContext> tls) {
  private static final Pattern URL =
      Pattern.compile("([a-z+-]+)://(?:([^@/]*)@)?([^/@]+)(?:/([^/]*))?");
  private static final Pattern NODE =
      Pattern.compile("(\\[[0-9a-fA-F:]+]|[^:\\s]+)(?::(\\d{1,5}))?");
  private static final int MAX_PORT = 65535;

  /** One node. */
  public record Node(String host, int port) {
    @Override
    public String toString() {
      return host + ":" + port;
    }
  }

  /** The URL schemes and default ports of a protocol. */
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
   * For queues: {@code amqp://user:password@host:port/virtual-host}, or {@code amqps://}; separate
   * several nodes by commas. User, password and virtual host may be percent-encoded. The default
   * virtual host is {@code /}.
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
      // The text itself may be a password, so the message does not repeat it.
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

  /**
   * Encrypts the connection: the context has the authorities that sign the broker's certificate,
   * and our certificate if the broker asks for one.
   */
  public RabbitServer withTls(SSLContext context) {
    return new RabbitServer(nodes, virtualHost, access, Optional.of(context));
  }

  public RabbitServer withAccess(RabbitAccess value) {
    return new RabbitServer(nodes, virtualHost, value, tls);
  }

  /** The address for messages, without a password. */
  String describe() {
    return "%s, virtual host %s"
        .formatted(String.join(", ", nodes.stream().map(Node::toString).toList()), virtualHost);
  }
}
