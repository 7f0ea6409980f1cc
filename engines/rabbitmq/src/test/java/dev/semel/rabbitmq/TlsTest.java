package dev.semel.rabbitmq;

import static dev.semel.tck.messages.TransportCalls.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.testservices.RabbitService;
import dev.semel.transport.Message;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.List;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
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
    certify("right", "IP:127.0.0.1");
    try (RabbitService rabbit = start("right")) {
      String queues = "amqps://guest:guest@127.0.0.1:" + rabbit.tlsPort();
      String streams = "rabbitmq-stream+tls://guest:guest@127.0.0.1:" + rabbit.streamTlsPort();
      assertThatThrownBy(() -> RabbitTransport.connect(RabbitSettings.of(queues)))
          .isInstanceOf(StoreException.class);
      assertThatThrownBy(() -> RabbitStreamTransport.connect(RabbitStreamSettings.of(streams)))
          .isInstanceOf(StoreException.class);
      SSLContext trusting = trusting("right");
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
      // It is the same server, but the certificate does not name it so.
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

  private RabbitService start(String name) {
    return RabbitService.start(
        "listeners.ssl.1 = 127.0.0.1:TLS_PORT",
        "stream.listeners.ssl.1 = 127.0.0.1:STREAM_TLS",
        "stream.advertised_tls_port = STREAM_TLS",
        "ssl_options.cacertfile = " + folder.resolve(name + ".pem"),
        "ssl_options.certfile = " + folder.resolve(name + ".pem"),
        "ssl_options.keyfile = " + folder.resolve(name + ".key"),
        "ssl_options.verify = verify_none",
        "ssl_options.fail_if_no_peer_cert = false");
  }

  private void certify(String name, String alternative) throws Exception {
    Process openssl =
        new ProcessBuilder(
                List.of(
                    "openssl",
                    "req",
                    "-x509",
                    "-newkey",
                    "rsa:2048",
                    "-nodes",
                    "-days",
                    "2",
                    "-subj",
                    "/CN=semel",
                    "-addext",
                    "subjectAltName=" + alternative,
                    "-keyout",
                    folder.resolve(name + ".key").toString(),
                    "-out",
                    folder.resolve(name + ".pem").toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("openssl.log").toFile())
            .start();
    assertThat(openssl.waitFor()).as(() -> "openssl, which said nothing good").isZero();
  }

  private SSLContext trusting(String name) throws Exception {
    KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
    trusted.load(null, null);
    try (InputStream in = Files.newInputStream(folder.resolve(name + ".pem"))) {
      trusted.setCertificateEntry(
          "broker", CertificateFactory.getInstance("X.509").generateCertificate(in));
    }
    TrustManagerFactory managers =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    managers.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, managers.getTrustManagers(), null);
    return context;
  }
}
