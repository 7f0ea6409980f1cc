package dev.semel.spring.internal;

import dev.semel.ExecutionOrigin;
import dev.semel.idempotency.internal.LaterWork;
import dev.semel.loop.Platform;
import dev.semel.spring.ResultCodecs.Result;
import dev.semel.spring.internal.LaterResults.Call;
import dev.semel.spring.internal.LaterResults.Guarded;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** A separate class, so that it is loaded only where Reactor is present. */
public final class LaterMonos {
  private LaterMonos() {}

  /**
   * Executes at each subscription; all but the first get the first one's result. Cancelling does
   * not stop the work: otherwise it would be in doubt whether it took effect.
   */
  @SuppressWarnings("unchecked") // a method that returns a Mono does that too
  public static Mono<Object> of(Guarded guarded, Call call) {
    return Mono.deferContextual(
        context -> {
          CompletableFuture<@Nullable Object> answer = new CompletableFuture<>();
          ExecutionOrigin outer = ExecutionOrigin.current();
          Call execution =
              () ->
                  guarded.execute(
                      held -> {
                        Mono<Object> mono = (Mono<Object>) call.run();
                        return new Result(
                            mono == null
                                ? null
                                : LaterWork.await(stage(mono.contextWrite(context))));
                      });
          Platform.REAL.beside(
              LaterWork.THREAD, () -> LaterResults.answer(answer, outer, execution));
          return Mono.fromFuture(answer, true);
        });
  }

  @SuppressWarnings("NullAway") // a Mono without a value completes with null, as work may
  private static CompletionStage<Object> stage(Mono<Object> mono) {
    return mono.toFuture();
  }
}
