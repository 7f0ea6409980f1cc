package dev.semel.server.http;

import dev.semel.InvalidInput;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Whether a server speaks TLS, and with what certificate.
 *
 * @param pair its certificate and key; empty: it speaks plain HTTP
 * @param required whether it refuses to speak plain HTTP to others than this machine
 */
public record TlsSettings(Optional<Pair> pair, boolean required) {
  /** Plain HTTP. */
  public static final TlsSettings NONE = new TlsSettings(Optional.empty(), false);

  /**
   * Files in PEM. They are read again when they change.
   *
   * @param certificate the server's own first, then those that lead to its authority
   * @param key its private key, not encrypted
   */
  public record Pair(Path certificate, Path key) {}

  public static TlsSettings of(Path certificate, Path key) {
    return new TlsSettings(Optional.of(new Pair(certificate, key)), false);
  }

  /** The same, refusing to speak plain HTTP to others than this machine. */
  public TlsSettings requiring() {
    return new TlsSettings(pair, true);
  }

  /** What an address of this server begins with. */
  public String scheme() {
    return pair.isPresent() ? "https" : "http";
  }

  /**
   * Throws where others than this machine would be spoken to in plain HTTP although that is ruled
   * out.
   */
  public void check(String host) {
    if (required && inTheClear(host)) {
      throw new InvalidInput(
          "TLS is required, and calls of %s would come in the clear: give a certificate and its key, or listen on 127.0.0.1"
              .formatted(host));
    }
  }

  /** Whether whoever is on the way can read what callers send to this host. */
  public boolean inTheClear(String host) {
    return pair.isEmpty() && !LoopbackAddresses.isAddress(host);
  }

  /**
   * What an operator should know.
   *
   * @param host what is listened on
   * @param secrets what callers send, such as their tokens
   */
  public List<String> warnings(String host, String secrets) {
    List<String> found = new ArrayList<>();
    if (inTheClear(host)) {
      found.add(
          "%s travel in the clear to %s: use --tls-cert and --tls-key, or a proxy that speaks TLS on this machine"
              .formatted(secrets, host));
    }
    if (pair.isPresent() && othersMayRead(pair.get().key())) {
      found.add(
          "everyone on this machine may read the key %s: take that right away (chmod 600)"
              .formatted(pair.get().key()));
    }
    return List.copyOf(found);
  }

  private static boolean othersMayRead(Path key) {
    try {
      return Files.getPosixFilePermissions(key).contains(PosixFilePermission.OTHERS_READ);
    } catch (IOException | UnsupportedOperationException e) {
      return false; // whoever loads it says so; other systems have other rights
    }
  }
}
