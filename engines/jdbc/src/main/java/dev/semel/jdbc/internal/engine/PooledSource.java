package dev.semel.jdbc.internal.engine;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import dev.semel.engine.spi.Engine;
import java.util.function.Function;
import javax.sql.DataSource;

/**
 * A source of connections that keeps them for the next caller where HikariCP is on the class path,
 * and makes a new one for each call where it is not.
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

  /** In a class of its own, which is loaded only if the pool is there. */
  private static final class Pools {
    private static HikariDataSource of(DataSource direct) {
      HikariConfig config = new HikariConfig();
      config.setPoolName("semel");
      config.setDataSource(direct);
      config.setInitializationFailTimeout(-1); // the store says by itself what is wrong
      return new HikariDataSource(config);
    }
  }

  /** Closes it again if nothing can be opened on it. */
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
