package dev.semel.junit;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A self-signed certificate, created by the JDK's keytool because the JDK's API can't sign.
 *
 * @param keys the certificate and its key as PKCS #12, with {@link #PASSWORD}
 * @param certificate in PEM: the certificate that a client must trust
 * @param key in PEM
 */
public record TestCertificate(Path keys, String certificate, String key) {
  public static final String PASSWORD = "changeit";
  private static final String ALIAS = "key";

  /** A certificate for this machine. */
  public static TestCertificate make(Path folder) throws IOException, GeneralSecurityException {
    return make(folder, "ip:127.0.0.1,dns:localhost");
  }

  /**
   * A certificate for other names.
   *
   * @param names the subject names, such as {@code ip:127.0.0.1,dns:localhost}
   */
  public static TestCertificate make(Path folder, String names)
      throws IOException, GeneralSecurityException {
    Path file = Files.createTempDirectory(folder, "keys").resolve("keys.p12");
    String unused =
        TestProcess.run(
            TestProcess.tool("keytool"),
            "-genkeypair",
            "-alias",
            ALIAS,
            "-keyalg",
            "EC",
            "-dname",
            "CN=a server",
            "-ext",
            "san=" + names,
            "-validity",
            "2",
            "-storetype",
            "PKCS12",
            "-storepass",
            PASSWORD,
            "-keystore",
            file.toString());
    KeyStore made = load(file);
    return new TestCertificate(
        file,
        pem("CERTIFICATE", made.getCertificate(ALIAS).getEncoded()),
        pem("PRIVATE KEY", made.getKey(ALIAS, PASSWORD.toCharArray()).getEncoded()));
  }

  private static KeyStore load(Path file) throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      store.load(in, PASSWORD.toCharArray());
    }
    return store;
  }

  private static String pem(String what, byte[] bytes) {
    return "-----BEGIN %s-----\n%s\n-----END %s-----\n"
        .formatted(what, Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(bytes), what);
  }

  /** Replaces existing files atomically. */
  public void write(Path certificateFile, Path keyFile) throws IOException {
    place(certificate, certificateFile);
    place(key, keyFile);
  }

  private static void place(String text, Path at) throws IOException {
    Path beside = at.resolveSibling(at.getFileName() + ".new");
    Files.writeString(beside, text);
    Files.move(beside, at, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }

  /** A context that trusts only this certificate. */
  public SSLContext trusted() throws IOException, GeneralSecurityException {
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(only());
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(null, trust.getTrustManagers(), null);
    return context;
  }

  /** Writes a trust store with only this certificate, as PKCS #12 with {@link #PASSWORD}. */
  public Path writeTrusted(Path file) throws IOException, GeneralSecurityException {
    try (OutputStream out = Files.newOutputStream(file)) {
      only().store(out, PASSWORD.toCharArray());
    }
    return file;
  }

  private KeyStore only() throws IOException, GeneralSecurityException {
    KeyStore only = KeyStore.getInstance("PKCS12");
    only.load(null, null);
    only.setCertificateEntry(ALIAS, load(keys).getCertificate(ALIAS));
    return only;
  }
}
