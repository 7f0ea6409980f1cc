package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservices.MariaDbDatabase;
import dev.semel.testservices.MariaDbService;
import dev.semel.testservices.SharedServices;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class MariaDbLostCommitTest extends LostCommitContract {
  @BeforeEach
  void open(MariaDbService mariadb) throws IOException, SQLException {
    MariaDbDatabase database = mariadb.freshDatabase();
    CommitProxy proxy = new CommitProxy(database.port(), CommitProxy.MARIADB_COMMIT);
    String url = new MariaDbDatabase(proxy.port(), database.name()).jdbcUrl();
    HikariDataSource pool = ServerUnderTest.pool(url, 4);
    MariaDbStore store = MariaDbStore.open(pool);
    TransactionalFixture.Reports reports = new TransactionalFixture.Reports(store);
    TransactionalFixture db =
        new TransactionalFixture(
            store.idempotency(),
            reports.on(store.transactions()),
            database.dataSource().getConnection(),
            d -> {},
            reports);
    db.execute("CREATE TABLE effect (id bigint AUTO_INCREMENT PRIMARY KEY, what text NOT NULL)");
    use(proxy, pool, db);
  }

  @Override
  String session() {
    return "SELECT connection_id()";
  }

  @Override
  String end(long session) {
    return "KILL CONNECTION " + session;
  }
}
