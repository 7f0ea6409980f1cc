package dev.semel.nats;

import dev.semel.InvalidInput;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLContext;

/**
 * The connection to a NATS broker, and the stream expected there.
 *
 * @param servers such as {@code nats://127.0.0.1:4222} or {@code tls://…}, without a password
 * @param publishTimeout after this time without an answer a message is in doubt
 * @param create whether to create a missing stream; an existing one is never changed
 * @param tls the trusted authorities and our certificate, for {@code tls://} servers; empty: the
 *     JVM's defaults
 */
public record JetStreamSettings(
    List<String> servers,
    NatsAccess access,
    StreamSettings stream,
    Duration publishTimeout,
    boolean create,
    Optional<SSLContext> tls) {
  public static final Duration DEFAULT_PUBLISH_TIMEOUT = Duration.ofSeconds(5);
  private static final List<String> SCHEMES = List.of("nats", "tls", "opentls", "ws", "wss");

  public JetStreamSettings {
    servers = List.copyOf(servers);
    if (servers.isEmpty()) {
      throw new InvalidInput("there is no server's URL: give one, such as nats://127.0.0.1:4222");
    }
    servers.forEach(JetStreamSettings::requireServer);
    if (publishTimeout.toMillis() < 100) {
      throw new InvalidInput("the time to publish is too short: give it at least 100 ms");
    }
  }

  /**
   * Settings for one or more servers, separated by commas. The first may contain a user and
   * password or a token: they become the {@link NatsAccess}.
   */
  public static JetStreamSettings of(String servers, StreamSettings stream) {
    List<String> plain = new ArrayList<>();
    NatsAccess access = NatsAccess.none();
    for (String server : List.of(servers.split(",", -1))) {
      String text = server.strip();
      int start = text.indexOf("://") + 3;
      int at = text.lastIndexOf('@');
      if (start > 2 && at >= start) {
        access = access(text.substring(start, at));
        text = text.substring(0, start) + text.substring(at + 1);
      }
      plain.add(text);
    }
    return new JetStreamSettings(
        plain, access, stream, DEFAULT_PUBLISH_TIMEOUT, true, Optional.empty());
  }

  private static NatsAccess access(String userInfo) {
    int colon = userInfo.indexOf(':');
    return colon < 0
        ? NatsAccess.token(userInfo)
        : NatsAccess.user(userInfo.substring(0, colon), userInfo.substring(colon + 1));
  }

  private static void requireServer(String server) {
    if (server.contains("@")) {
      throw new InvalidInput("a server's URL holds a password: give it as the access instead");
    }
    try {
      URI uri = URI.create(server);
      if (uri.getScheme() != null
          && uri.getHost() != null
          && SCHEMES.contains(uri.getScheme().toLowerCase(Locale.ROOT))) {
        return;
      }
    } catch (IllegalArgumentException e) {
      // The message below is better.
    }
    throw new InvalidInput("a server's URL is none: it looks like nats://127.0.0.1:4222");
  }

  public JetStreamSettings withAccess(NatsAccess value) {
    return new JetStreamSettings(servers, value, stream, publishTimeout, create, tls);
  }

  JetStreamSettings withStream(StreamSettings value) {
    return new JetStreamSettings(servers, access, value, publishTimeout, create, tls);
  }

  public JetStreamSettings withPublishTimeout(Duration value) {
    return new JetStreamSettings(servers, access, stream, value, create, tls);
  }

  /**
   * Sets the authorities that sign the servers' certificates, and our certificate if the servers
   * ask for one.
   */
  public JetStreamSettings withTls(SSLContext value) {
    return new JetStreamSettings(
        servers, access, stream, publishTimeout, create, Optional.of(value));
  }

  /** Treats a missing stream as an error instead of creating it. */
  public JetStreamSettings verifyOnly() {
    return new JetStreamSettings(servers, access, stream, publishTimeout, false, tls);
  }
}
