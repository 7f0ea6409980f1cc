package dev.semel.server.http;

import dev.semel.InvalidInput;
import dev.semel.loop.internal.Loop;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.net.PemKeyCertOptions;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Collection;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.KeyManagerFactorySpi;
import javax.net.ssl.ManagerFactoryParameters;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509KeyManager;
import org.jspecify.annotations.Nullable;

/**
 * A server's certificate and key, loaded again when their files change. New connections get the
 * newest pair; existing ones keep theirs. Unusable files change nothing: the last good pair stays,
 * and the failure is logged and counted. Safe for all threads.
 *
 * <p>No message contains anything of the key's file.
 */
public final class ServerCertificates implements AutoCloseable {
  /** Pause between checks of the files. */
  private static final Duration PAUSE = Duration.ofSeconds(1);

  /** Limit of a file's length. */
  private static final long MAX_BYTES = 1 << 20;

  private static final Set<String> PROTOCOLS = Set.of("TLSv1.3", "TLSv1.2");
  private static final byte[] PROBE = {1, 2, 3};
  private static final System.Logger LOG = System.getLogger("dev.semel.server");

  /**
   * Status of the certificate.
   *
   * @param reloads pairs that replaced another one
   * @param failures changes of the files that were unusable
   * @param expires when the certificate in use ends
   */
  public record Counts(long reloads, long failures, Instant expires) {}

  /** Contents of the files. */
  private record Bytes(Buffer certificate, Buffer key) {}

  /** Stands for unreadable files. */
  private static final Bytes GONE = new Bytes(Buffer.buffer(), Buffer.buffer());

  /** A usable pair. */
  private record Loaded(long number, X509ExtendedKeyManager keys, Instant expires) {}

  private final Vertx vertx;
  private final TlsSettings.Pair files;
  private final Current current = new Current();
  private final AtomicLong failures = new AtomicLong();
  private volatile Loaded loaded;
  private volatile @Nullable Loaded before;
  private Bytes tried;

  /** An unusable change that was seen once: it may be half written. */
  private @Nullable Bytes suspected;

  private @Nullable Loop loop;

  private ServerCertificates(Vertx vertx, TlsSettings.Pair files) {
    this.vertx = vertx;
    this.files = files;
    this.tried = read();
    this.loaded = load(tried, 0);
  }

  /**
   * Loads the files, and checks for changes until it is closed.
   *
   * @throws InvalidInput they are unusable
   */
  public static ServerCertificates open(Vertx vertx, TlsSettings.Pair files) {
    ServerCertificates made = new ServerCertificates(vertx, files);
    made.loop = Loop.start("semel-tls", made::look, PAUSE, e -> made.failed(e));
    return made;
  }

  /** Makes a server speak TLS with this certificate, and HTTP/2 with callers that ask for it. */
  public HttpServerOptions apply(HttpServerOptions options) {
    return options
        .setSsl(true)
        .setUseAlpn(true)
        .setEnabledSecureTransportProtocols(PROTOCOLS)
        .setKeyCertOptions(KeyCertOptions.wrap(factory()));
  }

  private KeyManagerFactory factory() {
    KeyManagerFactorySpi always =
        new KeyManagerFactorySpi() {
          @Override
          protected void engineInit(@Nullable KeyStore store, char @Nullable [] password) {}

          @Override
          protected void engineInit(ManagerFactoryParameters parameters) {}

          @Override
          protected KeyManager[] engineGetKeyManagers() {
            return new KeyManager[] {current};
          }
        };
    try {
      return new KeyManagerFactory(
          always,
          KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm()).getProvider(),
          "semel") {};
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every JDK has one", e);
    }
  }

  public Counts counts() {
    Loaded used = loaded;
    return new Counts(used.number(), failures.get(), used.expires());
  }

  @Override
  public void close() {
    Loop open = loop;
    if (open != null) {
      open.close();
    }
  }

  /** Checks the files. Returns whether there is more to do at once: never. */
  private boolean look() {
    Bytes now = GONE;
    try {
      now = read();
      if (now.equals(tried)) {
        suspected = null;
        return false;
      }
      Loaded next = load(now, loaded.number() + 1);
      before = loaded;
      loaded = next;
      tried = now;
      suspected = null;
      LOG.log(
          System.Logger.Level.INFO,
          "the certificate {0} was changed and is used from now on, until {1}",
          files.certificate(),
          next.expires());
    } catch (InvalidInput e) {
      if (now.equals(suspected)) {
        tried = now;
        suspected = null;
        failed(e);
      } else if (!now.equals(tried)) {
        suspected = now;
      }
    }
    return false;
  }

  private void failed(Exception cause) {
    failures.incrementAndGet();
    LOG.log(
        System.Logger.Level.WARNING,
        "the certificate was changed and the new one can''t be used, so the old one stays: {0}",
        cause instanceof InvalidInput ? cause.getMessage() : cause.getClass().getName());
  }

  private Bytes read() {
    return new Bytes(Buffer.buffer(read(files.certificate())), Buffer.buffer(read(files.key())));
  }

  private static byte[] read(Path file) {
    try {
      if (Files.size(file) <= MAX_BYTES) {
        return Files.readAllBytes(file);
      }
    } catch (IOException e) {
      throw new InvalidInput(
          "the file %s can't be read: check that it is there and may be read".formatted(file));
    }
    throw new InvalidInput("the file %s is over %d bytes long".formatted(file, MAX_BYTES));
  }

  private Loaded load(Bytes bytes, long number) {
    X509Certificate first = first(bytes.certificate().getBytes());
    X509ExtendedKeyManager keys = keys(bytes);
    String[] aliases = keys.getServerAliases(first.getPublicKey().getAlgorithm(), null);
    PrivateKey key = aliases == null ? null : keys.getPrivateKey(aliases[0]);
    if (key == null || !belong(key, first.getPublicKey())) {
      throw new InvalidInput(
          "the key %s does not belong to the certificate %s"
              .formatted(files.key(), files.certificate()));
    }
    return new Loaded(number, keys, first.getNotAfter().toInstant());
  }

  private X509Certificate first(byte[] pem) {
    try {
      Collection<? extends Certificate> all =
          CertificateFactory.getInstance("X.509")
              .generateCertificates(new ByteArrayInputStream(pem));
      if (!all.isEmpty() && all.iterator().next() instanceof X509Certificate first) {
        return first;
      }
    } catch (GeneralSecurityException e) {
      // reported below
    }
    throw new InvalidInput(
        "the file %s holds no certificate in PEM".formatted(files.certificate()));
  }

  private X509ExtendedKeyManager keys(Bytes bytes) {
    try {
      KeyManager[] all =
          new PemKeyCertOptions()
              .setCertValue(bytes.certificate())
              .setKeyValue(bytes.key())
              .getKeyManagerFactory(vertx)
              .getKeyManagers();
      if (all.length == 1 && all[0] instanceof X509ExtendedKeyManager keys) {
        return keys;
      }
    } catch (Exception e) {
      // reported below, without this message, because it may quote the file
    }
    throw new InvalidInput(
        "the file %s holds no private key in PEM that can be read: it must not be encrypted"
            .formatted(files.key()));
  }

  private static boolean belong(PrivateKey key, PublicKey to) {
    String algorithm =
        switch (to.getAlgorithm()) {
          case "RSA" -> "SHA256withRSA";
          case "EC" -> "SHA256withECDSA";
          default -> to.getAlgorithm();
        };
    try {
      Signature signing = Signature.getInstance(algorithm);
      signing.initSign(key);
      signing.update(PROBE);
      byte[] signed = signing.sign();
      Signature checking = Signature.getInstance(algorithm);
      checking.initVerify(to);
      checking.update(PROBE);
      return checking.verify(signed);
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * The pair in use. An alias contains the pair's number, so that key and certificate never mix.
   */
  private final class Current extends X509ExtendedKeyManager {
    private static final char SEPARATOR = '/';

    @Override
    public @Nullable String chooseEngineServerAlias(
        String type, Principal @Nullable [] issuers, SSLEngine engine) {
      Loaded used = loaded;
      return alias(used, used.keys().chooseEngineServerAlias(type, issuers, engine));
    }

    @Override
    public @Nullable String chooseServerAlias(
        String type, Principal @Nullable [] issuers, Socket socket) {
      Loaded used = loaded;
      return alias(used, used.keys().chooseServerAlias(type, issuers, socket));
    }

    private static @Nullable String alias(Loaded of, @Nullable String inner) {
      return inner == null ? null : Long.toString(of.number()) + SEPARATOR + inner;
    }

    @Override
    public X509Certificate @Nullable [] getCertificateChain(String alias) {
      X509KeyManager keys = keys(alias);
      return keys == null ? null : keys.getCertificateChain(inner(alias));
    }

    @Override
    public @Nullable PrivateKey getPrivateKey(String alias) {
      X509KeyManager keys = keys(alias);
      return keys == null ? null : keys.getPrivateKey(inner(alias));
    }

    private @Nullable X509KeyManager keys(String alias) {
      long number = Long.parseLong(alias.substring(0, alias.indexOf(SEPARATOR)));
      Loaded used = loaded;
      Loaded last = before;
      return used.number() == number
          ? used.keys()
          : last != null && last.number() == number ? last.keys() : null;
    }

    private static String inner(String alias) {
      return alias.substring(alias.indexOf(SEPARATOR) + 1);
    }

    @Override
    public String @Nullable [] getServerAliases(String type, Principal @Nullable [] issuers) {
      Loaded used = loaded;
      String[] inner = used.keys().getServerAliases(type, issuers);
      return inner == null
          ? null
          : Arrays.stream(inner)
              .map(each -> Long.toString(used.number()) + SEPARATOR + each)
              .toArray(String[]::new);
    }

    @Override
    public String @Nullable [] getClientAliases(String type, Principal @Nullable [] issuers) {
      return null;
    }

    @Override
    public @Nullable String chooseClientAlias(
        String[] types, Principal @Nullable [] issuers, Socket socket) {
      return null;
    }
  }
}
