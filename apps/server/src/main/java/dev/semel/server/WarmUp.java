package dev.semel.server;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import java.util.concurrent.TimeUnit;

/**
 * Requests the page once from a server that has just begun to listen, as a browser would. A first
 * answer was measured to take up to half a second, later ones some ten milliseconds: this spares
 * the first user the wait. Nothing waits for it, and its failure does no harm.
 */
final class WarmUp {
  private static final int LIMIT_SECONDS = 10;

  private WarmUp() {}

  static void begin(Vertx vertx, ServerSettings settings, int port) {
    String request =
        "GET / HTTP/1.1\r\nHost: localhost\r\nAccept: text/html\r\nConnection: close\r\n\r\n";
    NetClientOptions options =
        new NetClientOptions()
            .setConnectTimeout(Math.toIntExact(TimeUnit.SECONDS.toMillis(LIMIT_SECONDS)))
            .setIdleTimeoutUnit(TimeUnit.SECONDS)
            .setIdleTimeout(LIMIT_SECONDS);
    if (settings.tls().pair().isPresent()) {
      // The request holds no secret and the answer is ignored, so the certificate is not verified.
      options.setSsl(true).setTrustAll(true).setHostnameVerificationAlgorithm("");
    }
    vertx
        .createNetClient(options)
        .connect(port, settings.host())
        .onSuccess(
            socket -> {
              socket.handler(answer -> {});
              socket.write(request);
            });
  }
}
