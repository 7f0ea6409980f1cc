package dev.semel.nats;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A server's certificate that signs itself, made by the JDK's own tool.
 *
 * @param trusting what a client needs to take it for good
 */
record ServerCertificate(Path certificate, Path key, SSLContext trusting) {
  private static final String PASSWORD = "changeit";

  static ServerCertificate make(Path folder) throws Exception {
    Path file = folder.resolve("server.p12");
    Process keytool =
        new ProcessBuilder(
                List.of(
                    Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                    "-genkeypair",
                    "-alias",
                    "server",
                    "-keyalg",
                    "EC",
                    "-dname",
                    "CN=semel-test",
                    "-ext",
                    "san=ip:127.0.0.1",
                    "-storetype",
                    "PKCS12",
                    "-storepass",
                    PASSWORD,
                    "-keystore",
                    file.toString()))
            .redirectErrorStream(true)
            .redirectOutput(folder.resolve("keytool.log").toFile())
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(keytool.exitValue()).as(folder.resolve("keytool.log").toString()).isZero();
    KeyStore made = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      made.load(in, PASSWORD.toCharArray());
    }
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("server", made.getCertificate("server"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return new ServerCertificate(
        pem(
            folder.resolve("server.pem"),
            "CERTIFICATE",
            made.getCertificate("server").getEncoded()),
        pem(
            folder.resolve("server.key"),
            "PRIVATE KEY",
            made.getKey("server", PASSWORD.toCharArray()).getEncoded()),
        context);
  }

  private static Path pem(Path file, String kind, byte[] bytes) throws Exception {
    return Files.writeString(
        file,
        "-----BEGIN %s-----\n%s\n-----END %s-----\n"
            .formatted(kind, Base64.getMimeEncoder().encodeToString(bytes), kind));
  }
}
