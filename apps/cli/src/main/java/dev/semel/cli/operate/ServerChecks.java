package dev.semel.cli.operate;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.admin.document.internal.MemberReader;
import dev.semel.admin.remote.RemoteControlCenter;
import dev.semel.cli.CommandSettings;
import dev.semel.cli.Environment;
import dev.semel.cli.connect.ControlCenters;
import dev.semel.cli.streams.StreamsOptions;
import dev.semel.server.http.LoopbackAddresses;
import java.net.URI;
import java.util.List;

/** Checks the server that commands ask. */
final class ServerChecks {
  /** Above this, the check warns. */
  private static final int NEARLY_FULL_PERCENT = 90;

  private ServerChecks() {}

  static void look(Environment around, DoctorReport checkup) {
    String url = around.variable(CommandSettings.SERVER);
    if (url.isEmpty()) {
      return;
    }
    boolean token = !around.variable(StreamsOptions.TOKEN).isEmpty();
    try (RemoteControlCenter center = ControlCenters.remote(around, url)) {
      URI address = ControlCenters.address(url);
      if (token
          && "http".equals(address.getScheme())
          && !LoopbackAddresses.isAddress(address.getHost())) {
        checkup.warn(
            "server",
            "the token travels in the clear to %s: have the server speak TLS, and use https://"
                .formatted(address.getHost()));
      }
      MemberReader server = MemberReader.of(center.config()).below("server");
      setUp(server, checkup);
      MemberReader.of(center.quotas())
          .items("quotas", MemberReader::of)
          .forEach(quota -> quota(quota, checkup));
    } catch (InvalidInput | StoreException e) {
      checkup.warn("server", String.valueOf(e.getMessage()));
    }
  }

  private static void setUp(MemberReader server, DoctorReport checkup) {
    String host = server.text("host");
    boolean tokens = server.truth("tokens");
    boolean tls = server.truth("tls");
    if (tokens && !tls && !LoopbackAddresses.isAddress(host)) {
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

  private static void quota(MemberReader quota, DoctorReport checkup) {
    for (String what : List.of("connections", "stored_bytes")) {
      if (quota.find(what).isEmpty()) {
        continue;
      }
      long used = quota.below(what).number("used");
      long limit = quota.below(what).number("limit");
      String text =
          "%s: %,d of %,d %s".formatted(quota.text("token"), used, limit, what.replace('_', ' '));
      if (used * 100.0 / limit >= NEARLY_FULL_PERCENT) {
        checkup.warn("quota", text + ": beyond that its bearers are refused");
      } else {
        checkup.ok("quota", text);
      }
    }
  }
}
