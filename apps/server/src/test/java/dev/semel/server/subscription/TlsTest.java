package dev.semel.server.subscription;

import static dev.semel.server.subscription.Harness.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.junit.TestCertificate;
import dev.semel.server.subscription.internal.http.WebhookOutlet;
import dev.semel.stream.MemoryStreams;
import dev.semel.stream.Offset;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.PfxOptions;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Webhooks go to a checked address, and only to a receiver with the right certificate. */
@Tag("service")
@Timeout(600)
final class TlsTest {
  @TempDir Path folder;
  private PfxOptions key = new PfxOptions();

  @BeforeEach
  void makeKey() throws Exception {
    TestCertificate made = TestCertificate.make(folder, "dns:worker.example");
    key = new PfxOptions().setPath(made.keys().toString()).setPassword(TestCertificate.PASSWORD);
  }

  /** Resolves worker.example to this machine, and shady.example to others too. */
  private static Harness harness(HttpClientOptions client) {
    return new Harness(
        new MemoryStreams(InstantSource.system()),
        SubscriptionSettings.defaults().withLoopbackWebhooks(true),
        new WebhookOutlet(client, TlsTest::resolve));
  }

  private static List<InetAddress> resolve(String host) throws UnknownHostException {
    return switch (host) {
      case "worker.example", "other.example" -> List.of(InetAddress.getLoopbackAddress());
      case "shady.example" -> List.of(InetAddress.getLoopbackAddress(), privateAddress());
      default -> throw new UnknownHostException(host);
    };
  }

  private static InetAddress privateAddress() throws UnknownHostException {
    return InetAddress.getByAddress(new byte[] {10, 0, 0, 1});
  }

  private Receiver receiver(Harness harness) {
    return new Receiver(harness.vertx, new HttpServerOptions().setSsl(true).setKeyCertOptions(key))
        .answers(200, "{\"done\":true}");
  }

  private static void subscribe(Harness harness, String url) {
    assertThat(
            harness
                .put(
                    "s",
                    "{\"type\":\"webhook\",\"pattern\":\"a/*\",\"webhook\":{\"url\":\"%s\"}}"
                        .formatted(url))
                .status())
        .isEqualTo(201);
  }

  @Test
  void aReceiverIsCalledAtTheAddressThatWasChecked() {
    try (Harness harness = harness(new HttpClientOptions().setTrustOptions(key));
        Receiver receiver = receiver(harness)) {
      subscribe(harness, "https://worker.example:%d/x?y=z".formatted(receiver.port()));
      Offset tail = harness.create("a/1", "[1]");
      assertThat(receiver.next().path()).isEqualTo("/x");
      eventually("done", () -> harness.acked("s", "a/1").equals(tail.text()));
    }
  }

  @Test
  void oneWithAnUnknownCertificateIsNotCalled() {
    refused(new HttpClientOptions(), "worker.example");
  }

  @Test
  void oneWithTheWrongNameIsNotCalled() {
    refused(new HttpClientOptions().setTrustOptions(key), "other.example");
  }

  @Test
  void oneThatMayStandForAPrivateAddressIsNotCalled() {
    refused(new HttpClientOptions().setTrustOptions(key), "shady.example");
  }

  private void refused(HttpClientOptions client, String host) {
    try (Harness harness = harness(client);
        Receiver receiver = receiver(harness)) {
      subscribe(harness, "https://%s:%d/".formatted(host, receiver.port()));
      harness.create("a/1", "[1]");
      eventually("failed", () -> harness.get("s").body().text("status").equals("failed"));
      assertThat(receiver.waiting()).isZero();
    }
  }
}
