import dev.semel.*;
import dev.semel.idempotency.*;
import java.sql.*;
import org.springframework.jdbc.core.*;
import org.springframework.jdbc.datasource.*;
import org.springframework.transaction.support.TransactionTemplate;

/** Spring's types are its own; jOOQ's and Jdbi's stand here with their signatures. */
class Snippet {
  interface ConnectionCallable<T> {
    T run(Connection connection) throws Exception;
  }

  interface TransactionalCallable<T> {
    T run(Configuration configuration) throws Throwable;
  }

  interface Configuration {
    DSLContext dsl();
  }

  interface DSLContext {
    <T> T transactionResult(TransactionalCallable<T> work);

    <T> T connectionResult(ConnectionCallable<T> work);
  }

  interface HandleCallback<T, X extends Exception> {
    T withHandle(Handle handle) throws X;
  }

  interface Handle {
    Connection getConnection();
  }

  interface Jdbi {
    <R, X extends Exception> R inTransaction(HandleCallback<R, X> callback) throws X;
  }

  static String insert(JdbcTemplate jdbc, String item) {
    jdbc.update("INSERT INTO orders (item) VALUES (?)", item);
    return item;
  }

  static String insert(DSLContext dsl, String item) {
    return item;
  }

  static String insert(Handle handle, String item) {
    return item;
  }

  // run
  public static void main(String[] args) throws Exception {
    DriverManagerDataSource source = new DriverManagerDataSource("jdbc:sqlite:semel.db?busy_timeout=60000");
    JdbcTemplate jdbcTemplate = new JdbcTemplate(source);
    TransactionTemplate transactions = new TransactionTemplate(new DataSourceTransactionManager(source));
    try (Semel semel = Semel.open("sqlite:semel.db")) {
      jdbcTemplate.execute("CREATE TABLE orders (item TEXT)");
      for (int i = 0; i < 2; i++) {
        transactions.executeWithoutResult(status -> spring(semel, jdbcTemplate));
      }
      System.out.println(jdbcTemplate.queryForObject("SELECT count(*) FROM orders", Integer.class) + " order");
    }
  }

  static void spring(Semel semel, JdbcTemplate jdbcTemplate) {
    snippet(semel, jdbcTemplate, new DSLContext() {
      @Override
      public <T> T transactionResult(TransactionalCallable<T> work) {
        return null;
      }

      @Override
      public <T> T connectionResult(ConnectionCallable<T> work) {
        return null;
      }
    }, new Jdbi() {
      @Override
      public <R, X extends Exception> R inTransaction(HandleCallback<R, X> callback) {
        return null;
      }
    });
  }

  static void snippet(Semel semel, JdbcTemplate jdbcTemplate, DSLContext dsl, Jdbi jdbi) {
    // snippet
  }
}
// prints: 1 order
