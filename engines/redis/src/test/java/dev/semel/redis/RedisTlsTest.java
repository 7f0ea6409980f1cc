package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.testservices.FreePorts;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Message;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.Base64;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Over TLS, with a certificate that the JVM is told to trust, or not. */
@Tag("service")
@Isolated("system properties")
final class RedisTlsTest {
  private static final String PASSWORD = "not-secret";
  private static final String TRUST = "javax.net.ssl.trustStore";

  @TempDir Path folder;

  @BeforeEach
  void certificate() throws Exception {
    Path store = folder.resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "redis",
                "-keyalg",
                "EC",
                "-dname",
                "CN=localhost",
                "-ext",
                "SAN=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                store.toString(),
                "-storepass",
                PASSWORD)
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(store)) {
      keys.load(in, PASSWORD.toCharArray());
    }
    Key key = keys.getKey("redis", PASSWORD.toCharArray());
    pem("key.pem", "PRIVATE KEY", key.getEncoded());
    pem("cert.pem", "CERTIFICATE", keys.getCertificate("redis").getEncoded());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("redis", keys.getCertificate("redis"));
    try (OutputStream out = Files.newOutputStream(folder.resolve("trust.p12"))) {
      trusted.store(out, PASSWORD.toCharArray());
    }
  }

  private void pem(String file, String what, byte[] content) throws Exception {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    Files.writeString(
        folder.resolve(file),
        "-----BEGIN %s-----%n%s%n-----END %s-----%n".formatted(what, text, what));
  }

  @AfterEach
  void trustAsBefore() {
    System.clearProperty(TRUST);
    System.clearProperty(TRUST + "Password");
  }

  @Test
  void messagesGoOverTlsOnlyToAServerThatIsTrusted() {
    int port = FreePorts.free();
    try (RedisService redis =
        RedisService.start(
            "--tls-port",
            "" + port,
            "--tls-cert-file",
            folder.resolve("cert.pem").toString(),
            "--tls-key-file",
            folder.resolve("key.pem").toString(),
            "--tls-auth-clients",
            "no")) {
      assertThat(redis.port()).isNotEqualTo(port);
      RedisStreamsSettings settings = RedisStreamsSettings.of("rediss://127.0.0.1:" + port);
      assertThatThrownBy(() -> RedisStreamsTransport.connect(settings))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("can't be reached");
      System.setProperty(TRUST, folder.resolve("trust.p12").toString());
      System.setProperty(TRUST + "Password", PASSWORD);
      try (RedisStreamsTransport transport = RedisStreamsTransport.connect(settings)) {
        assertThat(get(transport.publish(Message.of("orders", "m"))).duplicate()).isFalse();
        assertThat(transport.describe()).contains("rediss://");
      }
    }
  }
}
