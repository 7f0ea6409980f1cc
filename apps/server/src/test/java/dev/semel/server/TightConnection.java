package dev.semel.server;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Handler;
import io.vertx.core.http.HttpServerResponse;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/**
 * A connection that takes one piece at a time, and reports room at the worst moment: in the middle
 * of a write, as a real one may. Used on one event loop; any thread may read what was written.
 */
public final class TightConnection {
  private final Context loop;
  private final List<String> written = new CopyOnWriteArrayList<>();
  private final HttpServerResponse response;
  private volatile boolean torn;
  private @Nullable Handler<Void> whoWaits;
  private boolean writing;
  private boolean full;

  public TightConnection(Context loop) {
    this.loop = loop;
    this.response = seen(HttpServerResponse.class, this::answer);
  }

  public HttpServerResponse response() {
    return response;
  }

  /** The pieces in order. */
  public List<String> written() {
    return List.copyOf(written);
  }

  /** Whether a write began before another had ended. */
  public boolean torn() {
    return torn;
  }

  /** The results of an interface's calls. */
  @FunctionalInterface
  public interface Answers {
    @Nullable Object answer(Method method, Object @Nullable [] arguments);
  }

  /** A proxy whose methods return the proxy or nothing, unless {@code answers} has a result. */
  public static <T> T seen(Class<T> type, Answers answers) {
    return type.cast(
        Proxy.newProxyInstance(
            type.getClassLoader(),
            new Class<?>[] {type},
            (self, method, arguments) -> {
              Object answer = answers.answer(method, arguments);
              return answer == null && method.getReturnType().isInstance(self) ? self : answer;
            }));
  }

  private @Nullable Object answer(Method method, Object @Nullable [] arguments) {
    return switch (method.getName()) {
      case "write" -> write(String.valueOf(first(arguments)));
      case "writeQueueFull" -> full;
      case "closed", "ended", "headWritten" -> false;
      case "drainHandler" -> {
        whoWaits = handler(first(arguments));
        loop.runOnContext(v -> drained());
        yield null;
      }
      default -> null;
    };
  }

  private static @Nullable Object first(Object @Nullable [] arguments) {
    return arguments == null ? null : arguments[0];
  }

  @SuppressWarnings("unchecked") // required by the method
  private static @Nullable Handler<Void> handler(@Nullable Object given) {
    return (Handler<Void>) given;
  }

  private Future<Void> write(String piece) {
    torn |= writing;
    writing = true;
    tell();
    written.add(piece);
    writing = false;
    full = true;
    return Future.succeededFuture();
  }

  private void drained() {
    full = false;
    tell();
  }

  private void tell() {
    Handler<Void> told = whoWaits;
    if (told != null) {
      told.handle(null);
    }
  }
}
