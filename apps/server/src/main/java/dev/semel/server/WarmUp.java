package dev.semel.server;

import io.vertx.core.Vertx;
import io.vertx.core.net.NetClientOptions;
import java.util.concurrent.TimeUnit;

/**
 * Asks a server that has just begun to listen for its page, as a browser would. Its first answer
 * was measured to take up to half a second, and later ones some ten milliseconds: the person who
 * opens the page need not wait for that. Nobody waits for this either, and if it fails nothing is
 * lost.
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
      // Whoever answers is asked for what everyone may have, and not believed.
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
