package dev.semel.cli.connect;

import dev.semel.InvalidInput;
import dev.semel.cli.Environment;
import dev.semel.cli.OptionFile;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Collection;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** Certificates that a command trusts for the server that it asks. */
final class CaFile {
  /** Variable that names a file in PEM with trusted certificates. */
  static final String VARIABLE = "SEMEL_CA_FILE";

  private static final int MAX_BYTES = 1 << 20;

  private CaFile() {}

  /** Empty: those that this machine's Java trusts. */
  static Optional<SSLContext> trust(Environment around) {
    String name = around.variable(VARIABLE);
    return name.isEmpty()
        ? Optional.empty()
        : Optional.of(trust(OptionFile.bytes(around.folder(), VARIABLE, name, MAX_BYTES)));
  }

  private static SSLContext trust(byte[] pem) {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
      if (!all.isEmpty()) {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        int number = 0;
        for (Certificate each : all) {
          store.setCertificateEntry(Integer.toString(number++), each);
        }
        TrustManagerFactory trust =
            TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return context;
      }
    } catch (GeneralSecurityException | IOException e) {
      // reported below
    }
    throw new InvalidInput(
        "the file of %s holds no certificate in PEM that a server's could come from"
            .formatted(VARIABLE));
  }
}
