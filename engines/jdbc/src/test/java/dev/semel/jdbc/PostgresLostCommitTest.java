package dev.semel.jdbc;

import com.zaxxer.hikari.HikariDataSource;
import dev.semel.testservices.PostgresService;
import dev.semel.testservices.SharedServices;
import dev.semel.testservices.TestDatabase;
import java.io.IOException;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.extension.ExtendWith;

@Tag("service")
@ExtendWith(SharedServices.class)
final class PostgresLostCommitTest extends LostCommitContract {
  @BeforeEach
  void open(PostgresService postgres) throws IOException, SQLException {
    TestDatabase database = postgres.freshDatabase();
    CommitProxy proxy = new CommitProxy(database.port(), CommitProxy.POSTGRES_COMMIT);
    String url = new TestDatabase(proxy.port(), database.name()).jdbcUrl();
    HikariDataSource pool = ServerUnderTest.pool(url, 4);
    PostgresStore store = PostgresStore.open(pool);
    TransactionalFixture.Reports reports = new TransactionalFixture.Reports(store);
    TransactionalFixture db =
        new TransactionalFixture(
            store.idempotency(),
            reports.on(store.transactions()),
            database.dataSource().getConnection(),
            d -> {},
            reports);
    db.execute("CREATE TABLE effect (id bigserial PRIMARY KEY, what text NOT NULL)");
    use(proxy, pool, db);
  }

  @Override
  String session() {
    return "SELECT pg_backend_pid()";
  }

  @Override
  String end(long session) {
    return "SELECT pg_terminate_backend(" + session + ")";
  }
}
