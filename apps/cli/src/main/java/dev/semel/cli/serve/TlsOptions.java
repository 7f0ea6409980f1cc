package dev.semel.cli.serve;

import dev.semel.InvalidInput;
import dev.semel.cli.OptionFile;
import dev.semel.server.http.TlsSettings;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Options for the TLS of a listening process. */
final class TlsOptions {
  @Option(
      names = "--tls-cert",
      paramLabel = "FILE",
      description =
          "Speak TLS, and HTTP/2 to whoever asks for it, with this certificate in PEM and those that"
              + " lead to its authority. It is read again when it changes.")
  private @Nullable String certificate;

  @Option(
      names = "--tls-key",
      paramLabel = "FILE",
      description = "Its private key in PEM, not encrypted. It is read again when it changes.")
  private @Nullable String key;

  @Option(
      names = "--require-tls",
      description = "Refuse to listen in plain HTTP on another address than this machine's own.")
  private boolean required;

  /**
   * @param folder base of relative paths
   */
  TlsSettings settings(Path folder) {
    if ((certificate == null) != (key == null)) {
      throw new InvalidInput(
          "a certificate and its key go together: give --tls-cert and --tls-key");
    }
    Optional<TlsSettings.Pair> pair =
        certificate == null || key == null
            ? Optional.empty()
            : Optional.of(
                new TlsSettings.Pair(
                    OptionFile.path(folder, "--tls-cert", certificate),
                    OptionFile.path(folder, "--tls-key", key)));
    return new TlsSettings(pair, required);
  }
}
