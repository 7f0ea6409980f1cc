package dev.semel.redis;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.junit.TestCertificate;
import dev.semel.testservices.FreePorts;
import dev.semel.testservices.RedisService;
import dev.semel.transport.Message;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Isolated;

/** Connections over TLS, with a certificate that the JVM trusts, or does not. */
@Tag("service")
@Isolated("system properties")
final class RedisTlsTest {
  private static final String TRUST = "javax.net.ssl.trustStore";

  @TempDir Path folder;

  @BeforeEach
  void certificate() throws Exception {
    TestCertificate made = TestCertificate.make(folder);
    made.write(folder.resolve("cert.pem"), folder.resolve("key.pem"));
    Path unused = made.writeTrusted(folder.resolve("trust.p12"));
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
      System.setProperty(TRUST + "Password", TestCertificate.PASSWORD);
      try (RedisStreamsTransport transport = RedisStreamsTransport.connect(settings)) {
        assertThat(get(transport.publish(Message.of("orders", "m"))).duplicate()).isFalse();
        assertThat(transport.describe()).contains("rediss://");
      }
    }
  }
}
