package dev.semel.jdbc.internal.transaction;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.CallableStatement;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The connection for work in a transaction. It refuses to end the transaction, and refuses
 * everything once the work is over. Objects that lead back to the connection (statements, results,
 * metadata) lead back to this one.
 *
 * <p>Two gaps: {@code unwrap} gives the driver's connection, which refuses nothing, and a text with
 * several statements is checked only at its start. A commit by such work is detected when it
 * returns.
 */
public final class WorkConnection {
  /** Statements that end a transaction, or on MariaDB begin the next one and so commit. */
  private static final Pattern ENDS =
      Pattern.compile(
          "(?:[\\s;]++|--[^\\n]*+(?:\\n|$)|/\\*(?s:.*?)\\*/)*+"
              + "(COMMIT\\b|END\\b|ABORT\\b|PREPARE\\s+TRANSACTION\\b|START\\s+TRANSACTION\\b"
              + "|ROLLBACK\\b(?!\\s+(?:WORK\\s+|TRANSACTION\\s+)?TO\\b)|BEGIN\\b(?!\\s+NOT\\b)"
              + "|SET\\s+(?:SESSION\\s+|LOCAL\\s+|@@(?:SESSION\\.|LOCAL\\.)?)?AUTOCOMMIT\\b).*+",
          Pattern.CASE_INSENSITIVE | Pattern.DOTALL);

  private static final Set<Class<?>> LEADING_BACK =
      Set.of(
          Statement.class,
          PreparedStatement.class,
          CallableStatement.class,
          ResultSet.class,
          DatabaseMetaData.class);

  private final Connection guarded;
  private volatile boolean over;

  public WorkConnection(Connection connection) {
    this.guarded = (Connection) guard(Connection.class, connection);
  }

  public Connection connection() {
    return guarded;
  }

  /** Ends the work's access; afterwards the transaction's connection belongs to others. */
  void end() {
    over = true;
  }

  static boolean endsTransaction(String sql) {
    return ENDS.matcher(sql).matches();
  }

  private Object guard(Class<?> type, Object target) {
    return Proxy.newProxyInstance(
        WorkConnection.class.getClassLoader(), new Class<?>[] {type}, new Guard(target));
  }

  private final class Guard implements InvocationHandler {
    private final Object target;

    Guard(Object target) {
      this.target = target;
    }

    @Override
    public @Nullable Object invoke(Object proxy, Method method, Object @Nullable [] arguments)
        throws Throwable {
      Object first = arguments == null || arguments.length == 0 ? null : arguments[0];
      String name = method.getName();
      return switch (name) {
        case "equals" ->
            first != null
                && Proxy.isProxyClass(first.getClass())
                && Proxy.getInvocationHandler(first).equals(this);
        case "hashCode" -> hashCode();
        case "unwrap" -> isOf(first, proxy) ? proxy : call(method, arguments);
        case "isWrapperFor" -> isOf(first, proxy) ? (Object) true : call(method, arguments);
        default -> {
          if (over && name.equals("isClosed")) {
            yield true;
          }
          yield over ? after(method, arguments) : within(method, first, arguments);
        }
      };
    }

    private static boolean isOf(@Nullable Object type, Object proxy) {
      return type instanceof Class<?> asked && asked.isInstance(proxy);
    }

    private @Nullable Object within(
        Method method, @Nullable Object first, Object @Nullable [] arguments) throws Throwable {
      refuse(method.getName(), first);
      return leadingBack(method.getReturnType(), call(method, arguments));
    }

    /** Statements and results may still be closed; the connection belongs to others now. */
    private @Nullable Object after(Method method, Object @Nullable [] arguments) throws Throwable {
      if (!method.getName().equals("close")) {
        throw new IllegalStateException(
            "the transaction is over: use its connection only while the work runs");
      }
      return target instanceof Connection ? null : call(method, arguments);
    }

    private void refuse(String name, @Nullable Object first) {
      if (target instanceof Connection && ends(name, first)) {
        throw new EndRefused(name + "()");
      }
      if (first instanceof String sql && takesSql(name)) {
        Matcher ending = ENDS.matcher(sql);
        if (ending.matches()) {
          throw new EndRefused("the statement " + ending.group(1));
        }
      }
    }

    private static boolean ends(String name, @Nullable Object first) {
      return switch (name) {
        case "commit", "close", "abort" -> true;
        case "rollback" -> first == null;
        case "setAutoCommit" -> Boolean.TRUE.equals(first);
        default -> false;
      };
    }

    private static boolean takesSql(String name) {
      return name.startsWith("execute") || name.startsWith("prepare") || name.equals("addBatch");
    }

    private @Nullable Object leadingBack(Class<?> type, @Nullable Object result) {
      if (result == null) {
        return null;
      }
      if (type == Connection.class) {
        return guarded;
      }
      if (LEADING_BACK.contains(type)) {
        return guard(type, result);
      }
      return type == Object.class && result instanceof ResultSet
          ? guard(ResultSet.class, result)
          : result;
    }

    private @Nullable Object call(Method method, Object @Nullable [] arguments) throws Throwable {
      try {
        return method.invoke(target, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
