package dev.semel.server.http;

import dev.semel.junit.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;

/** Writes a certificate for a server. */
public final class TlsFiles {
  private TlsFiles() {}

  /** Replaces the existing files. */
  public static TlsSettings.Pair write(TestCertificate certificate, Path folder)
      throws IOException {
    TlsSettings.Pair pair =
        new TlsSettings.Pair(folder.resolve("server.crt"), folder.resolve("server.key"));
    certificate.write(pair.certificate(), pair.key());
    return pair;
  }
}
