package dev.semel.server.stream;

import io.vertx.core.http.HttpServerRequest;
import java.util.concurrent.CompletionStage;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Calls an engine, and returns to the connection's event loop with its answer. */
public final class EngineCalls {
  private EngineCalls() {}

  /**
   * Calls the engine for a waiting request.
   *
   * @param reply only called with an answer; a failure goes to the caller
   */
  public static <A> void answer(
      HomeLoop loop,
      HttpServerRequest request,
      Supplier<CompletionStage<A>> call,
      Consumer<? super A> reply) {
    ask(
        loop,
        call,
        (answer, failure) -> {
          if (answer == null || failure != null) {
            CallFailures.send(request, failure == null ? new IllegalStateException() : failure);
            return;
          }
          try {
            reply.accept(answer);
          } catch (RuntimeException e) {
            CallFailures.send(request, e);
          }
        });
  }

  static <A> void ask(
      HomeLoop loop,
      Supplier<CompletionStage<A>> call,
      BiConsumer<@Nullable A, @Nullable Throwable> then) {
    CompletionStage<A> stage;
    try {
      stage = call.get();
    } catch (RuntimeException e) {
      then.accept(null, e);
      return;
    }
    stage.whenComplete((answer, failure) -> loop.run(() -> then.accept(answer, failure)));
  }
}
