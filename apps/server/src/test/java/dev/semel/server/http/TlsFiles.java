package dev.semel.server.http;

import dev.semel.junit.TestCertificate;
import java.io.IOException;
import java.nio.file.Path;

/** A certificate where a server reads it. */
public final class TlsFiles {
  private TlsFiles() {}

  /** Puts it in the place of what is there. */
  public static TlsSettings.Pair write(TestCertificate certificate, Path folder)
      throws IOException {
    TlsSettings.Pair pair =
        new TlsSettings.Pair(folder.resolve("server.crt"), folder.resolve("server.key"));
    certificate.write(pair.certificate(), pair.key());
    return pair;
  }
}
