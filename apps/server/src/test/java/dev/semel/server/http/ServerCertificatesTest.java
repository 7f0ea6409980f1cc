package dev.semel.server.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import dev.semel.InvalidInput;
import dev.semel.junit.TestCertificate;
import dev.semel.tck.LoopWatch;
import io.vertx.core.Vertx;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files that change while a server runs. */
@Tag("service")
class ServerCertificatesTest {
  @TempDir static Path made;
  private static TestCertificate first;
  private static TestCertificate second;
  private static Vertx vertx;

  @TempDir Path folder;

  @BeforeAll
  static void make() throws Exception {
    first = TestCertificate.make(made);
    second = TestCertificate.make(made);
    vertx = Vertx.vertx();
  }

  @AfterAll
  static void end() throws Exception {
    vertx.close().await();
  }

  @Test
  void aPairThatCanNotBeUsedLeavesTheOldOneAndIsCounted() throws Exception {
    TlsSettings.Pair pair = TlsFiles.write(first, folder);
    try (ServerCertificates certificates = ServerCertificates.open(vertx, pair)) {
      assertThat(certificates.counts().reloads()).isZero();
      assertThat(certificates.counts().expires()).isAfter(Instant.now());

      Files.writeString(pair.key(), "half a file");
      await().until(() -> certificates.counts().failures() == 1);
      Files.writeString(pair.key(), second.key());
      await().until(() -> certificates.counts().failures() == 2);
      assertThat(certificates.counts().reloads()).isZero();

      Files.writeString(pair.certificate(), second.certificate());
      await().until(() -> certificates.counts().reloads() == 1);
      assertThat(certificates.counts().failures()).isEqualTo(2);

      Files.delete(pair.key());
      await().until(() -> certificates.counts().failures() == 3);
      Files.writeString(pair.key(), second.key());
      await().until(() -> certificates.counts().reloads() == 2);
      assertThat(certificates.counts().failures()).isEqualTo(3);
    }
  }

  /** An unexpected failure: the files are in a closed archive. */
  @Test
  void aLookThatFailsIsToldAndLeavesTheOldOne() throws Exception {
    FileSystem archive = FileSystems.newFileSystem(folder.resolve("a.zip"), Map.of("create", true));
    TlsSettings.Pair pair =
        new TlsSettings.Pair(archive.getPath("/server.crt"), archive.getPath("/server.key"));
    Files.writeString(pair.certificate(), first.certificate());
    Files.writeString(pair.key(), first.key());
    LoopWatch watch = LoopWatch.of("semel-tls");
    try (ServerCertificates certificates = ServerCertificates.open(vertx, pair)) {
      archive.close();
      await().untilAsserted(watch::assertTold);
      assertThat(certificates.counts().failures()).isPositive();
      assertThat(certificates.counts().reloads()).isZero();
    }
  }

  @Test
  void whatCanNotBeUsedAtTheStartIsRefusedWithoutAWordOfTheKey() throws Exception {
    TlsSettings.Pair pair = TlsFiles.write(first, folder);
    Files.writeString(pair.key(), second.key());
    assertThatThrownBy(() -> ServerCertificates.open(vertx, pair))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("does not belong");
    Files.writeString(
        pair.key(), "-----BEGIN PRIVATE KEY-----\nc2VjcmV0\n-----END PRIVATE KEY-----");
    assertThatThrownBy(() -> ServerCertificates.open(vertx, pair))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining("private key")
        .hasMessageNotContaining("c2VjcmV0")
        .hasNoCause();
    Files.writeString(pair.certificate(), "nothing");
    assertThatThrownBy(() -> ServerCertificates.open(vertx, pair))
        .hasMessageContaining("no certificate");
    Files.delete(pair.key());
    assertThatThrownBy(() -> ServerCertificates.open(vertx, pair))
        .hasMessageContaining("can't be read");
  }

  @Test
  void aKeyThatOthersMayReadAndPlainAddressesAreWarnedOf() throws Exception {
    TlsSettings.Pair pair = TlsFiles.write(first, folder);
    TlsSettings tls = TlsSettings.of(pair.certificate(), pair.key());
    Files.setPosixFilePermissions(pair.key(), PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(tls.warnings("0.0.0.0", "tokens")).hasSize(1).allMatch(w -> w.contains("chmod"));
    Files.setPosixFilePermissions(pair.key(), PosixFilePermissions.fromString("rw-------"));
    assertThat(tls.warnings("0.0.0.0", "tokens")).isEmpty();
    assertThat(TlsSettings.NONE.warnings("127.0.0.1", "tokens")).isEmpty();
    assertThat(TlsSettings.NONE.warnings("0.0.0.0", "tokens"))
        .hasSize(1)
        .allMatch(w -> w.contains("in the clear"));
  }

  @Test
  void plainHttpToOthersIsRefusedWhereTlsIsRequired() throws Exception {
    TlsSettings.Pair pair = TlsFiles.write(first, folder);
    TlsSettings required = TlsSettings.NONE.requiring();
    assertThatThrownBy(() -> required.check("0.0.0.0")).isInstanceOf(InvalidInput.class);
    required.check("127.0.0.1");
    TlsSettings.of(pair.certificate(), pair.key()).requiring().check("0.0.0.0");
  }
}
