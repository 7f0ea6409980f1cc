package dev.semel.jdbc.internal.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.spi.Engine;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A source of connections: a pool where HikariCP is on the class path, otherwise a new connection
 * per call.
 */
final class PooledSource implements AutoCloseable {
  private static final System.Logger LOG = System.getLogger("dev.semel.jdbc");

  private final DataSource source;
  private final AutoCloseable pool;

  private PooledSource(DataSource source, AutoCloseable pool) {
    this.source = source;
    this.pool = pool;
  }

  static PooledSource of(DataSource direct) {
    try {
      HikariDataSource pool = Pools.of(direct);
      return new PooledSource(pool, pool);
    } catch (NoClassDefFoundError e) {
      LOG.log(
          System.Logger.Level.WARNING,
          "each call connects anew, which is slow: add the artifact com.zaxxer:HikariCP, and"
              + " connections are kept");
      return direct(direct);
    }
  }

  static PooledSource direct(DataSource direct) {
    return new PooledSource(direct, () -> {});
  }

  /** A separate class, so that it is loaded only if HikariCP is present. */
  private static final class Pools {
    private static HikariDataSource of(DataSource direct) {
      HikariConfig config = new HikariConfig();
      config.setPoolName("semel");
      config.setDataSource(direct);
      config.setInitializationFailTimeout(-1); // the store reports failures better
      return new HikariDataSource(config);
    }
  }

  /** Opens an engine on this source, and closes the source if that fails. */
  Engine opening(Function<DataSource, Engine> opened) {
    boolean open = false;
    try {
      Engine engine = opened.apply(source);
      open = true;
      return engine;
    } finally {
      if (!open) {
        close();
      }
    }
  }

  @Override
  public void close() {
    try {
      pool.close();
    } catch (RuntimeException e) {
      throw e;
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }
}
