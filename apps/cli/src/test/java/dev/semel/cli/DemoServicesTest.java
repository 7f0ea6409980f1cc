package dev.semel.cli;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** The stories on stores that machines share; outbox-crash always uses a file. */
@Tag("service")
@ExtendWith(SharedServices.class)
class DemoServicesTest {
  @TempDir Path folder;

  private void play(String store, String story, String effects, int without, int with) {
    new Played(new Cli(folder).call("demo", story, "--store", store, "-o", "json"))
        .took(effects, without, with);
  }

  /**
   * Plays the story with jobs, and the one with a separate process that opens the store by its URL.
   */
  private void playThoseThatAskMostOfAStore(String store) {
    play(store, "retry-storm", "files", 5, 1);
    play(store, "zombie", "charges", 2, 1);
  }

  private void playTheOthers(String store) {
    play(store, "double-click", "charges", 4, 1);
    play(store, "webhooks", "licences", 3, 1);
    play(store, "cron-overlap", "reports", 5, 2);
  }

  @Test
  void onRedis(RedisService redis) {
    playThoseThatAskMostOfAStore(redis.url() + "/2");
  }

  @Test
  void onPostgres(PostgresService postgres) {
    playThoseThatAskMostOfAStore(postgres.freshDatabase().url());
  }

  @Test
  @Tag("proof")
  void theOthersOnRedis(RedisService redis) {
    playTheOthers(redis.url() + "/2");
  }

  @Test
  @Tag("proof")
  void theOthersOnPostgres(PostgresService postgres) {
    playTheOthers(postgres.freshDatabase().url());
  }
}
