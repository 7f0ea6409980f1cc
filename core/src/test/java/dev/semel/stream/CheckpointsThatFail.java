package dev.semel.stream;

import dev.semel.stream.internal.shared.LogTransition;
import dev.semel.stream.spi.SharedLog;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/** Streams that want a checkpoint of a log that can be asked for one only at their start. */
public final class CheckpointsThatFail {
  private CheckpointsThatFail() {}

  /** They ask once a second. */
  public static SharedStreams open() {
    long last = SharedStreams.CHECKPOINT_EVERY;
    byte[] message = new LogTransition(new StreamPath("any"), "attempt", List.of()).encode();
    AtomicInteger asked = new AtomicInteger();
    InvocationHandler handler =
        (proxy, method, arguments) ->
            switch (method.getName()) {
              case "maxBytes" -> 64 << 10;
              case "clock" -> InstantSource.system();
              case "last" -> CompletableFuture.completedFuture(last);
              case "checkpoint" -> {
                if (asked.incrementAndGet() > 1) {
                  throw new IllegalStateException("a bug in checkpoint");
                }
                yield Optional.empty();
              }
              case "follow" -> {
                ((SharedLog.Follower) arguments[1]).take(last, message);
                yield null;
              }
              default -> null;
            };
    SharedLog log =
        (SharedLog)
            Proxy.newProxyInstance(
                SharedLog.class.getClassLoader(), new Class<?>[] {SharedLog.class}, handler);
    return SharedStreams.open(log, StreamLimits.defaults());
  }
}
