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
 * TLS of a server or gateway, which you pass to its settings: the certificate, and whether plain
 * HTTP is refused.
 *
 * @param pair certificate and key; empty: plain HTTP
 * @param required whether it refuses to speak plain HTTP to other machines
 */
public record TlsSettings(Optional<Pair> pair, boolean required) {
  /** Plain HTTP. */
  public static final TlsSettings NONE = new TlsSettings(Optional.empty(), false);

  /**
   * Files in PEM, loaded again when they change.
   *
   * @param certificate the server's own first, then those that lead to its authority
   * @param key its private key, not encrypted
   */
  public record Pair(Path certificate, Path key) {}

  public static TlsSettings of(Path certificate, Path key) {
    return new TlsSettings(Optional.of(new Pair(certificate, key)), false);
  }

  /** Returns settings that refuse plain HTTP to other machines. */
  public TlsSettings requiring() {
    return new TlsSettings(pair, true);
  }

  /** The scheme of this server's addresses. */
  public String scheme() {
    return pair.isPresent() ? "https" : "http";
  }

  /** Throws if the server would speak plain HTTP to other machines although TLS is required. */
  public void check(String host) {
    if (required && inTheClear(host)) {
      throw new InvalidInput(
          "TLS is required, and calls of %s would come in the clear: give a certificate and its key, or listen on 127.0.0.1"
              .formatted(host));
    }
  }

  /** Whether others on the way can read what callers send to this host. */
  public boolean inTheClear(String host) {
    return pair.isEmpty() && !LoopbackAddresses.isAddress(host);
  }

  /**
   * Warnings for the operator.
   *
   * @param host the address to listen on
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
      return false; // loading it reports the failure; other systems have other rights
    }
  }
}
