package dev.semel.cli;

import dev.semel.testservices.PostgresService;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.Services;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The stories on stores that machines share; outbox-crash has a file of its own anywhere. */
@Tag("service")
@ExtendWith(Services.class)
class DemoServicesTest {
  @TempDir Path folder;

  private void play(String store, String story, String effects, int without, int with) {
    new Played(new Cli(folder).call("demo", story, "--store", store, "-o", "json"))
        .took(effects, without, with);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "double-click, charges, 4, 1",
    "retry-storm, files, 5, 1",
    "webhooks, licences, 3, 1",
    "cron-overlap, reports, 5, 2",
    "zombie, charges, 2, 1",
  })
  void onRedis(String story, String effects, int without, int with, RedisService redis) {
    play(redis.url(), story, effects, without, with);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "double-click, charges, 4, 1",
    "retry-storm, files, 5, 1",
    "webhooks, licences, 3, 1",
    "cron-overlap, reports, 5, 2",
    "zombie, charges, 2, 1",
  })
  void onPostgres(String story, String effects, int without, int with, PostgresService postgres) {
    play(postgres.freshDatabase().url(), story, effects, without, with);
  }
}
