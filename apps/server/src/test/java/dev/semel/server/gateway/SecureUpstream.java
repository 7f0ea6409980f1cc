package dev.semel.server.gateway;

import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A service over TLS with a certificate that it signed itself. It counts what reaches it. */
final class SecureUpstream implements AutoCloseable {
  private static final char[] PASSWORD = "changeit".toCharArray();

  final AtomicInteger requests = new AtomicInteger();
  private final HttpsServer server;
  private final String certificate;

  private SecureUpstream(HttpsServer server, String certificate) {
    this.server = server;
    this.certificate = certificate;
  }

  /**
   * @param names what the certificate is for, such as {@code ip:127.0.0.1}
   */
  static SecureUpstream start(Path folder, String names)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = folder.resolve("keys.p12");
    makeKeys(file, names);
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    KeyManagerFactory managers =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    managers.init(keys, PASSWORD);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(managers.getKeyManagers(), null, null);
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(new HttpsConfigurator(context));
    String pem =
        "-----BEGIN CERTIFICATE-----\n"
            + Base64.getMimeEncoder().encodeToString(keys.getCertificate("key").getEncoded())
            + "\n-----END CERTIFICATE-----\n";
    SecureUpstream upstream = new SecureUpstream(server, pem);
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

  /** By the JDK's own tool: its library can't sign. */
  private static void makeKeys(Path file, String names) throws IOException, InterruptedException {
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=a service",
                "-ext",
                "san=" + names,
                "-validity",
                "2",
                "-storetype",
                "PKCS12",
                "-storepass",
                new String(PASSWORD),
                "-keystore",
                file.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(keytool.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    if (keytool.waitFor() != 0) {
      throw new AssertionError(said);
    }
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
