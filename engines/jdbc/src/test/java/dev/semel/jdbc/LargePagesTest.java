package dev.semel.jdbc;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Token;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.spi.ExecutionEnd;
import dev.semel.idempotency.spi.KeyCatalog;
import dev.semel.idempotency.spi.Store;
import dev.semel.jdbc.internal.store.RecordRows;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A page of large responses must not fill the memory of the process that lists it. */
final class LargePagesTest {
  private static final int RECORDS = 5;

  /** Two responses reach the limit. */
  private static final byte[] RESPONSE = new byte[RecordRows.MAX_PAGE_BYTES / 2];

  private static void endEarlyAndMissNothing(Store store) {
    for (int i = 0; i < RECORDS; i++) {
      Key key = Key.of("large", "id-" + i);
      Token token = Token.draw();
      store.idempotency().claim(Claims.of(key, token));
      store
          .idempotency()
          .complete(
              key,
              token,
              ExecutionEnd.completed(Codec.bytes().payload(RESPONSE)),
              Claims.RETENTION);
    }
    List<Integer> sizes = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    String cursor = "";
    do {
      KeyCatalog.Page page = store.catalog().list("default/large:", cursor, 100);
      sizes.add(page.entries().size());
      page.entries().forEach(e -> ids.add(e.key().id()));
      cursor = page.next();
    } while (!cursor.isEmpty());
    assertThat(sizes).containsExactly(2, 2, 1);
    assertThat(ids).containsExactly("id-0", "id-1", "id-2", "id-3", "id-4");
  }

  @Test
  void endEarlyOnSqlite(@TempDir Path folder) {
    try (SqliteStore store = SqliteStore.open(folder.resolve("semel.db"), InstantSource.system())) {
      endEarlyAndMissNothing(store);
    }
  }

  @Test
  @Tag("service")
  @ExtendWith(SharedServices.class)
  void endEarlyOnPostgres(PostgresService postgres) {
    endEarlyAndMissNothing(PostgresStore.open(postgres.freshDatabase().dataSource()));
  }

  @Test
  @Tag("service")
  @ExtendWith(SharedServices.class)
  void endEarlyOnMariaDb(MariaDbService mariadb) {
    endEarlyAndMissNothing(MariaDbStore.open(mariadb.freshDatabase().dataSource()));
  }
}
