package dev.semel.cli;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.document.Reading;
import dev.semel.admin.remote.RemoteCenter;
import dev.semel.server.http.Loopback;
import java.net.URI;

/** How well the server is set up that commands ask. */
final class ServerChecks {
  private ServerChecks() {}

  static void look(Surroundings around, Checkup checkup) {
    String url = around.variable(Settings.SERVER);
    if (url.isEmpty()) {
      return;
    }
    boolean token = !around.variable(StreamsOptions.TOKEN).isEmpty();
    try (RemoteCenter center = Centers.remote(around, url)) {
      URI address = Centers.address(url);
      if (token && "http".equals(address.getScheme()) && !Loopback.isAddress(address.getHost())) {
        checkup.warn(
            "server",
            "the token travels in the clear to %s: have the server speak TLS, and use https://"
                .formatted(address.getHost()));
      }
      Reading server = Reading.of(center.config()).below("server");
      setUp(server, checkup);
    } catch (InvalidInput | StoreException e) {
      checkup.warn("server", String.valueOf(e.getMessage()));
    }
  }

  private static void setUp(Reading server, Checkup checkup) {
    String host = server.text("host");
    boolean tokens = server.truth("tokens");
    boolean tls = server.truth("tls");
    if (tokens && !tls && !Loopback.isAddress(host)) {
      checkup.warn(
          "server",
          "it listens on %s without TLS, so tokens travel in the clear: start it with --tls-cert and --tls-key, or have a proxy on its machine speak TLS"
              .formatted(host));
    } else {
      checkup.ok(
          "server",
          "it listens on %s %s TLS, %s tokens"
              .formatted(host, tls ? "with" : "without", tokens ? "with" : "without"));
    }
  }
}
