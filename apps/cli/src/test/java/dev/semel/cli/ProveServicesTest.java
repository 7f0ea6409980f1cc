package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.StoreException;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionPolicy;
import dev.semel.idempotency.Fingerprint;
import dev.semel.idempotency.spi.ClaimRequest;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.IdempotencyStore;
import dev.semel.idempotency.spi.RecordState;
import dev.semel.idempotency.spi.Store;
import dev.semel.redis.RedisStore;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisClusterService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Proofs on stores that machines share: those that keep the guarantees, and those set up to lose.
 */
@Tag("service")
@ExtendWith(SharedServices.class)
class ProveServicesTest {
  private static final String PASSWORD = "not-for-anyones-eyes";

  @TempDir Path folder;

  @Test
  void postgresKeepsThePromise(PostgresService postgres) {
    keepsThePromise(postgres.freshDatabase().url(), "cut,stop,kill");
  }

  @Test
  @Tag("proof")
  void mariaDbKeepsThePromise(MariaDbService mariadb) {
    keepsThePromise(mariadb.freshDatabase().url(), "lost-answers,stop,kill");
  }

  @Test
  @Tag("proof")
  void redisKeepsThePromise(RedisService redis) {
    keepsThePromise(redis.url() + "/6", "lost-answers,silent,delay");
  }

  @Test
  @Tag("proof")
  void redisClusterKeepsThePromise(RedisClusterService cluster) {
    keepsThePromise(cluster.url(), "stop,kill");
  }

  private void keepsThePromise(String store, String faults) {
    Cli.Result result =
        new Cli(folder)
            .with("SEMEL_STORE", store)
            .call("prove", "--seconds", "3", "--workers", "2", "--seed", "1", "--faults", faults);

    assertThat(result.code()).as(result.out() + result.err()).isZero();
    assertThat(result.out()).contains("Nothing ran twice").doesNotContain("secret", "faults: none");
    assertThat(new Cli(folder).with("SEMEL_STORE", store).call("keys", "list").out())
        .doesNotContain("semel-prove/");
  }

  @Test
  @Tag("proof")
  void redisThatForgetsWithARestartIsFoundOutAndThePasswordIsNot() throws IOException {
    try (RedisService redis = RedisService.start("--appendonly", "no", "--requirepass", PASSWORD);
        Store watched = RedisStore.open(withPassword(redis))) {
      CompletableFuture<Cli.Result> proof = prove(withPassword(redis));
      awaitKeys(watched, proof);
      assertThat(workersCommandLines()).contains("ProveWorker").doesNotContain(PASSWORD);

      redis.restart();

      Cli.Result result = proof.join();
      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.FAILED);
      assertThat(result.out())
          .contains("The promise is broken", "✗ nothing acknowledged is lost", "Likely reason")
          .contains("a restart forgets every record");
      assertThat(result.out() + result.err() + report()).doesNotContain(PASSWORD);
      assertThat(report()).contains("<svg", "a restart forgets every record", "last-question");
    }
  }

  @Test
  @Tag("proof")
  void redisThatEvictsIsFoundOut() throws IOException {
    try (RedisService redis =
            RedisService.start(
                "--appendonly", "no", "--maxmemory", "4mb", "--maxmemory-policy", "allkeys-lru");
        Store watched = RedisStore.open(redis.url() + "?eviction=allow")) {
      CompletableFuture<Cli.Result> proof = prove(redis.url());
      awaitKeys(watched, proof);

      fill(watched.idempotency());

      Cli.Result result = proof.join();
      assertThat(result.code()).as(result.out() + result.err()).isEqualTo(ExitCode.FAILED);
      assertThat(result.out())
          .contains("The promise is broken", "Likely reason", "maxmemory-policy allkeys-lru")
          .contains("set maxmemory-policy to noeviction");
      assertThat(report()).contains("evicted so far");
    }
  }

  private CompletableFuture<Cli.Result> prove(String store) {
    return CompletableFuture.supplyAsync(
        () ->
            new Cli(folder)
                .with("SEMEL_STORE", store)
                .call(
                    "prove",
                    "--seconds",
                    "4",
                    "--workers",
                    "2",
                    "--seed",
                    "1",
                    "--faults",
                    "stop"));
  }

  private static String withPassword(RedisService redis) {
    return redis.url().replace("redis://", "redis://:" + PASSWORD + "@");
  }

  /** Waits for some records, so that there is something to lose. */
  private static void awaitKeys(Store store, CompletableFuture<Cli.Result> proof) {
    await()
        .until(
            () ->
                proof.isDone()
                    || store.catalog().list("semel-prove/", "", 1000).entries().stream()
                            .filter(entry -> entry.existing().state() == RecordState.COMPLETED)
                            .count()
                        > 20);
    assertThat(proof).isNotDone();
  }

  private static String workersCommandLines() throws IOException {
    StringBuilder all = new StringBuilder();
    for (ProcessHandle child : ProcessHandle.current().descendants().toList()) {
      // The JDK cuts its view after some thousand characters.
      Path line = Path.of("/proc", Long.toString(child.pid()), "cmdline");
      all.append(
              Files.exists(line) ? Files.readString(line) : child.info().commandLine().orElse(""))
          .append('\n');
    }
    return all.toString();
  }

  /** Several times the server's limit. */
  private static void fill(IdempotencyStore records) {
    ExecutionEnd large = ExecutionEnd.completed(Codec.bytes().payload(new byte[64 << 10]));
    for (int i = 0; i < 120; i++) {
      Key key = Key.of("filler", "large-" + i);
      Token token = Token.draw();
      ExecutionPolicy policy = ExecutionPolicy.defaults();
      try {
        records.claim(
            new ClaimRequest(
                key,
                token,
                Fingerprint.NONE,
                policy.lease(),
                policy.retention(),
                policy.takeover(),
                ""));
        records.complete(key, token, large, policy.retention());
      } catch (StoreException e) {
        // No room for a moment; the next write makes some.
      }
    }
  }

  private String report() throws IOException {
    return Files.readString(folder.resolve("semel-proof.html"));
  }
}
