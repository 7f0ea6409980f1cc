package dev.semel.server.http;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate that signed itself, in PEM, made by the JDK's own tool: its library can't sign.
 *
 * @param certificate what a client must trust
 */
public record TestCertificate(String certificate, String key) {
  private static final char[] PASSWORD = "changeit".toCharArray();

  /** For this machine. */
  public static TestCertificate make(Path folder)
      throws IOException, GeneralSecurityException, InterruptedException {
    Path file = Files.createTempDirectory(folder, "keys").resolve("keys.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "key",
                "-keyalg",
                "EC",
                "-dname",
                "CN=a server",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost",
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
    KeyStore keys = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      keys.load(in, PASSWORD);
    }
    return new TestCertificate(
        pem("CERTIFICATE", keys.getCertificate("key").getEncoded()),
        pem("PRIVATE KEY", keys.getKey("key", PASSWORD).getEncoded()));
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder().encodeToString(bytes), what);
  }

  /** Puts it in the place of what is there. */
  public TlsSettings.Pair write(Path folder) throws IOException {
    TlsSettings.Pair pair =
        new TlsSettings.Pair(folder.resolve("server.crt"), folder.resolve("server.key"));
    place(certificate, pair.certificate());
    place(key, pair.key());
    return pair;
  }

  private static void place(String text, Path at) throws IOException {
    Path beside = at.resolveSibling(at.getFileName() + ".new");
    Files.writeString(beside, text);
    Files.move(beside, at, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** Trusts this one and nobody else. */
  public SSLContext trusted() throws IOException, GeneralSecurityException {
    Certificate only =
        CertificateFactory.getInstance("X.509")
            .generateCertificate(
                new ByteArrayInputStream(certificate.getBytes(StandardCharsets.US_ASCII)));
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry("only", only);
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(store);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }
}
