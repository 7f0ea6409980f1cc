package dev.semel.nats;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.StoreException;
import dev.semel.junit.TestCertificate;
import dev.semel.testservices.NatsService;
import dev.semel.transport.Message;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Servers that ask for credentials, and servers with certificates. */
@Tag("service")
final class JetStreamAccessTest {
  private static final StreamSettings STREAM = StreamSettings.of("ORDERS", "orders.>");

  @TempDir Path folder;

  /**
   * Connects and publishes, and returns the outcome; a first try may be too slow on a busy machine.
   */
  private static String outcome(JetStreamSettings settings) {
    return await().until(() -> tried(settings), text -> !text.contains("can't be reached"));
  }

  private static String tried(JetStreamSettings settings) {
    try (JetStreamTransport transport = JetStreamTransport.connect(settings)) {
      return get(transport.publish(Message.of("orders.created", "1"))).duplicate() + "";
    } catch (StoreException e) {
      return String.valueOf(e.getMessage());
    }
  }

  private static void publishes(JetStreamSettings settings) {
    assertThat(outcome(settings)).isEqualTo("false");
  }

  @Test
  void aUserAndPasswordAreAskedFor() {
    try (NatsService nats =
        NatsService.start("authorization { user: \"ann\", password: \"s3cret\" }")) {
      publishes(JetStreamSettings.of(nats.url().replace("://", "://ann:s3cret@"), STREAM));
      publishes(
          JetStreamSettings.of(nats.url(), STREAM).withAccess(NatsAccess.user("ann", "s3cret")));
      JetStreamSettings nobody = JetStreamSettings.of(nats.url(), STREAM);
      for (JetStreamSettings wrong :
          new JetStreamSettings[] {nobody, nobody.withAccess(NatsAccess.user("ann", "wr0ng"))}) {
        assertThat(outcome(wrong))
            .contains("does not let us in", "check the user and password")
            .doesNotContain("wr0ng");
      }
    }
  }

  @Test
  void aServerThatEncryptsIsTrustedByItsCertificate() throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    Path file = folder.resolve("server.crt");
    Path key = folder.resolve("server.key");
    certificate.write(file, key);
    try (NatsService nats =
        NatsService.start("tls { cert_file: \"%s\", key_file: \"%s\" }".formatted(file, key))) {
      String url = nats.url().replace("nats://", "tls://");
      publishes(JetStreamSettings.of(url, STREAM).withTls(certificate.trusted()));
      assertThat(outcome(JetStreamSettings.of(url, STREAM)))
          .contains("agree on TLS", "trust who signed its certificate");
      assertThat(outcome(JetStreamSettings.of(nats.url(), STREAM)))
          .contains("use tls:// where the server asks for it");
    }
  }
}
