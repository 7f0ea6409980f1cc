package dev.semel.rabbitmq;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.junit.TestCertificate;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Message;
import java.nio.file.Path;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("service")
final class TlsTest {
  @TempDir
  @SuppressWarnings("NullAway.Init")
  private Path folder;

  @Test
  void queuesAndStreamsAreReachedByTlsIfTheCertificateIsTrustedAndTheHosts() throws Exception {
    // A certificate that does not name localhost.
    TestCertificate certificate = TestCertificate.make(folder, "ip:127.0.0.1");
    certificate.write(folder.resolve("server.pem"), folder.resolve("server.key"));
    try (RabbitService rabbit = start()) {
      String queues = "amqps://guest:guest@127.0.0.1:" + rabbit.tlsPort();
      String streams = "rabbitmq-stream+tls://guest:guest@127.0.0.1:" + rabbit.streamTlsPort();
      assertThatThrownBy(() -> RabbitTransport.connect(RabbitSettings.of(queues)))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> RabbitStreamTransport.connect(RabbitStreamSettings.of(streams)))
          .isInstanceOf(StoreException.class);
      SSLContext trusting = certificate.trusted();
      RabbitSettings settings = RabbitSettings.of(queues).withDestination("orders", "c");
      try (RabbitTransport transport =
          RabbitTransport.connect(settings.withServer(settings.server().withTls(trusting)))) {
        assertThat(get(transport.publish(Message.of("orders", "m"))).duplicate()).isFalse();
      }
      RabbitStreamSettings logs = RabbitStreamSettings.of(streams).withDestination("log");
      try (RabbitStreamTransport transport =
          RabbitStreamTransport.connect(logs.withServer(logs.server().withTls(trusting)))) {
        assertThat(get(transport.publish(Message.of("log", "m"))).duplicate()).isFalse();
      }
      // The same server by a name that the certificate does not contain.
      RabbitServer other = RabbitServer.of(queues.replace("127.0.0.1", "localhost"));
      assertThatThrownBy(
              () -> RabbitTransport.connect(settings.withServer(other.withTls(trusting))))
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("No name matching localhost");
      RabbitServer otherLog = RabbitServer.ofStreams(streams.replace("127.0.0.1", "localhost"));
      assertThatThrownBy(
              () -> RabbitStreamTransport.connect(logs.withServer(otherLog.withTls(trusting))))
          .isInstanceOf(StoreException.class);
    }
  }

  private RabbitService start() {
    return RabbitService.start(
        "listeners.ssl.1 = 127.0.0.1:TLS_PORT",
        "stream.listeners.ssl.1 = 127.0.0.1:STREAM_TLS",
        "stream.advertised_tls_port = STREAM_TLS",
        "ssl_options.cacertfile = " + folder.resolve("server.pem"),
        "ssl_options.certfile = " + folder.resolve("server.pem"),
        "ssl_options.keyfile = " + folder.resolve("server.key"),
        "ssl_options.verify = verify_none",
        "ssl_options.fail_if_no_peer_cert = false");
  }
}
