package dev.semel.server.gateway;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.idempotency.MemoryStore;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.InstantSource;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The gateway calls a service over TLS only if its certificate proves its identity. */
@Tag("service")
class SecureUpstreamTest {
  private static final String OURS = "ip:127.0.0.1";

  @TempDir Path folder;

  /** The key was released: when the gateway trusts the service, the same request runs. */
  private static void assertNothingWasSent(Guarding guarding, SecureUpstream service) {
    HttpResponse<String> answer = guarding.click("/charge", "k");
    assertThat(answer.statusCode()).isEqualTo(502);
    assertThat(answer.body()).contains("upstream-unreachable", "certificate");
    assertThat(guarding.send("POST", "/charge", "x").statusCode()).isEqualTo(502);
    assertThat(service.requests).hasValue(0);
  }

  @Test
  void aCertificateThatIsNotTrustedIsRefusedAndTheKeyGivenBack() throws Exception {
    try (SecureUpstream service = SecureUpstream.start(folder, OURS)) {
      MemoryStore store = new MemoryStore(InstantSource.system());
      try (Guarding guarding = Guarding.to(service.upstream(), store)) {
        assertNothingWasSent(guarding, service);
      }
      Upstream trusted = service.upstream().trusting(service.certificate());
      try (Guarding guarding = Guarding.to(trusted, store)) {
        HttpResponse<String> answer = guarding.click("/charge", "k");
        assertThat(answer.statusCode()).isEqualTo(201);
        assertThat(answer.body()).isEqualTo("done 1");
        assertThat(Guarding.isReplay(answer)).isFalse();
        assertThat(Guarding.isReplay(guarding.click("/charge", "k"))).isTrue();
        assertThat(guarding.send("POST", "/charge", "x").body()).isEqualTo("done 2");
      }
    }
  }

  @Test
  void aTrustedCertificateForAnotherHostIsRefused() throws Exception {
    try (SecureUpstream service = SecureUpstream.start(folder, "dns:elsewhere.example");
        Guarding guarding =
            Guarding.to(
                service.upstream().trusting(service.certificate()),
                new MemoryStore(InstantSource.system()))) {
      assertNothingWasSent(guarding, service);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "no certificate",
        "-----BEGIN CERTIFICATE-----\n",
        "-----BEGIN CERTIFICATE-----\nbm9uZQ==\n-----END CERTIFICATE-----\n"
      })
  void whatIsNoCertificateIsRefused(String pem) {
    assertThatThrownBy(() -> Upstream.parse("https://localhost").trusting(pem))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("PEM");
  }

  @Test
  void aServiceWithoutTlsHasNoCertificate() throws Exception {
    try (SecureUpstream service = SecureUpstream.start(folder, OURS)) {
      assertThatThrownBy(() -> Upstream.parse("http://localhost").trusting(service.certificate()))
          .isInstanceOf(InvalidInput.class)
          .hasMessageContaining("https://");
    }
  }
}
