package dev.semel.redis;

import static org.awaitility.Awaitility.await;

import dev.semel.Key;
import dev.semel.admin.StoreAdmin;
import dev.semel.event.SemelListener;
import dev.semel.idempotency.Codec;
import dev.semel.idempotency.ExecutionRequest;
import dev.semel.idempotency.Idempotency;
import dev.semel.idempotency.OperationSetting;
import dev.semel.idempotency.Outcome;
import dev.semel.proof.fault.ChildJvm;
import dev.semel.testservices.RedisService;
import dev.semel.testservices.SharedServices;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** An operator's change reaches running processes. */
@Tag("service")
@ExtendWith(SharedServices.class)
class RedisSettingsReachTest {
  private static final Key KEY = Key.of("settings-reach", "order-1");

  @TempDir Path folder;

  /** A process that asks for the same key repeatedly, and reports when it runs again. */
  static final class Worker {
    private Worker() {}

    public static void main(String[] arguments) {
      try (RedisStore store = RedisStore.open(arguments[0]);
          Idempotency idempotency = new Idempotency(store, SemelListener.NONE)) {
        while (!(ask(idempotency) instanceof Outcome.Replayed<String>)) {
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        System.out.println("protected");
        while (ask(idempotency) instanceof Outcome.Replayed<String>) {
          LockSupport.parkNanos(Duration.ofMillis(5).toNanos());
        }
        System.out.println("switched off at " + System.currentTimeMillis());
      }
    }

    private static Outcome<String> ask(Idempotency idempotency) {
      return idempotency.execute(ExecutionRequest.of(KEY, Codec.utf8()), execution -> "done");
    }
  }

  @Test
  void aChangeReachesEveryProcessWithinSeconds(RedisService service) {
    List<ChildJvm> children =
        Stream.of("a", "b")
            .map(n -> ChildJvm.start(Worker.class, folder.resolve(n + ".log"), service.url()))
            .toList();
    try (RedisStore store = RedisStore.open(service.url())) {
      await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> children.stream().allMatch(c -> c.output().contains("protected")));
      long changed = System.currentTimeMillis();
      new StoreAdmin(store, "test").change(KEY.operation(), Map.of(OperationSetting.MODE, "off"));
      children.forEach(ChildJvm::awaitSuccess);
      for (ChildJvm child : children) {
        String output = child.output().strip();
        long took = Long.parseLong(output.substring(output.lastIndexOf(' ') + 1)) - changed;
        System.out.println("settings reached a process after " + took + " ms");
      }
    } finally {
      children.forEach(ChildJvm::close);
    }
  }
}
