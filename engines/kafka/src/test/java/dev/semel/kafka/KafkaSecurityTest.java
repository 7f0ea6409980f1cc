package dev.semel.kafka;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.StoreException;
import dev.semel.junit.TestCertificate;
import dev.semel.testservices.KafkaService;
import dev.semel.transport.Message;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class KafkaSecurityTest {
  private static final String PASSWORD = TestCertificate.PASSWORD;

  @TempDir Path folder;

  @Test
  void whatThePromisesRestOnIsNoOptionAndSecretsAreNotShown() {
    KafkaSettings settings = KafkaSettings.of("kafka://a:1, b:2");
    assertThat(settings.servers()).containsExactly("a:1", "b:2");
    assertThatThrownBy(() -> settings.withOption("acks", "1"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("acks");
    assertThatThrownBy(() -> KafkaSettings.of("kafka://user:secret@a:1"))
        .isInstanceOf(InvalidInput.class)
        .hasMessageNotContaining("secret");
    assertThat(settings.withOption("sasl.jaas.config", "secret").toString())
        .contains("sasl.jaas.config")
        .doesNotContain("=secret")
        .doesNotContain("secret,");
  }

  @Test
  @Tag("service")
  void aWrongPasswordIsAClearErrorAndTheRightOneLetsIn() {
    try (KafkaService kafka =
        KafkaService.start(
            "listener.security.protocol.map=CLIENT:SASL_PLAINTEXT,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listener.name.client.sasl.enabled.mechanisms=PLAIN",
            "listener.name.client.plain.sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule"
                + " required user_shop=\"right\";")) {
      KafkaSettings settings =
          KafkaSettings.of(kafka.url())
              .withOption("security.protocol", "SASL_PLAINTEXT")
              .withOption("sasl.mechanism", "PLAIN");
      assertThatThrownBy(() -> KafkaTransport.connect(as(settings, "wrong")))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("does not let us in")
          .hasMessageContaining("credentials")
          .hasMessageNotContaining("wrong");
      assertPublishes(as(settings, "right"));
    }
  }

  private static KafkaSettings as(KafkaSettings settings, String password) {
    return settings.withOption(
        "sasl.jaas.config",
        "org.apache.kafka.common.security.plain.PlainLoginModule required username=\"shop\" password=\"%s\";"
            .formatted(password));
  }

  private static void assertPublishes(KafkaSettings settings) {
    try (KafkaTransport transport =
        KafkaTransport.connect(settings.withTopics(TopicSettings.of(1).withReplicas(1, 1)))) {
      assertThat(get(transport.publish(Message.of("orders", "x"))).position())
          .isEqualTo("orders/0@0");
      assertThat(transport.describe()).doesNotContain("shop");
    }
  }

  @Test
  @Tag("service")
  void tlsIsSpokenAndACertificateThatIsNotTrustedIsAClearError() throws Exception {
    TestCertificate certificate = TestCertificate.make(folder);
    Path trusted = certificate.writeTrusted(folder.resolve("trusted.p12"));
    try (KafkaService kafka =
        KafkaService.start(
            "listener.security.protocol.map=CLIENT:SSL,INTERNAL:PLAINTEXT,CONTROLLER:PLAINTEXT",
            "listener.name.client.ssl.keystore.location=" + certificate.keys(),
            "listener.name.client.ssl.keystore.type=PKCS12",
            "listener.name.client.ssl.keystore.password=" + PASSWORD,
            "listener.name.client.ssl.key.password=" + PASSWORD)) {
      KafkaSettings settings = KafkaSettings.of(kafka.url()).withOption("security.protocol", "SSL");
      assertThatThrownBy(() -> KafkaTransport.connect(settings))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("certificates");
      assertPublishes(
          settings
              .withOption("ssl.truststore.location", trusted.toString())
              .withOption("ssl.truststore.type", "PKCS12")
              .withOption("ssl.truststore.password", PASSWORD));
    }
  }
}
