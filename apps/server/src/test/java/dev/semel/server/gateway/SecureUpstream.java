package dev.semel.server.gateway;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import dev.semel.junit.TestCertificate;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A service over TLS with a self-signed certificate. It counts its requests. */
final class SecureUpstream implements AutoCloseable {
  private static final char[] PASSWORD = TestCertificate.PASSWORD.toCharArray();

  final AtomicInteger requests = new AtomicInteger();
  private final HttpsServer server;
  private final String certificate;

  private SecureUpstream(HttpsServer server, String certificate) {
    this.server = server;
    this.certificate = certificate;
  }

  /**
   * @param names of the certificate, such as {@code ip:127.0.0.1}
   */
  static SecureUpstream start(Path folder, String names)
      throws IOException, GeneralSecurityException {
    TestCertificate made = TestCertificate.make(folder, names);
    KeyStore keys = KeyStore.getInstance(made.keys().toFile(), PASSWORD);
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    SecureUpstream upstream = new SecureUpstream(server, made.certificate());
    server.createContext(
        "/",
        exchange -> {
          exchange.getRequestBody().readAllBytes();
          byte[] answer =
              ("done " + upstream.requests.incrementAndGet()).getBytes(StandardCharsets.UTF_8);
          exchange.sendResponseHeaders(201, answer.length);
          exchange.getResponseBody().write(answer);
          exchange.close();
        });
    server.start();
    return upstream;
  }

  /** In PEM. */
  String certificate() {
    return certificate;
  }

  Upstream upstream() {
    return Upstream.parse("https://127.0.0.1:" + server.getAddress().getPort());
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
