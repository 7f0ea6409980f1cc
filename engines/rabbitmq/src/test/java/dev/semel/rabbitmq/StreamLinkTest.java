package dev.semel.rabbitmq;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import com.rabbitmq.stream.Environment;
import dev.semel.StoreException;
import dev.semel.junit.Patience;
import dev.semel.proof.fault.FaultProxy;
import dev.semel.tck.LoopWatch;
import dev.semel.testservices.RabbitService;
import dev.semel.testservices.SharedServices;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** Requests while the connection is gone, and before anyone has noticed. */
@Tag("service")
@ExtendWith(SharedServices.class)
final class StreamLinkTest {
  private static final int TIMES = 3;

  @Test
  void whoAsksWithoutAConnectionIsTold(RabbitService rabbit) throws Exception {
    try (FaultProxy way = FaultProxy.before(rabbit.streamPort());
        StreamLink link =
            StreamLink.open(
                RabbitStreamSettings.of("rabbitmq-stream://guest:guest@127.0.0.1:" + way.port())
                    .server(),
                Duration.ofSeconds(5))) {
      Environment environment = link.require();
      LoopWatch watch = LoopWatch.of("semel-rabbit-streams");
      way.set(FaultProxy.Weather.CUT);
      for (int i = 0; i < TIMES; i++) { // the first request may find the connection half closed
        CompletableFuture<Long> asked =
            CompletableFuture.supplyAsync(() -> new StreamEnds(environment).first("any"));
        assertThatThrownBy(() -> asked.get(Patience.LIMIT.toSeconds(), TimeUnit.SECONDS))
            .hasCauseInstanceOf(StoreException.class);
      }
      assertThat(link.isAway(environment, "any")).isFalse();
      assertThat(link.environment()).isEmpty();
      await().untilAsserted(watch::assertTold);
      way.set(FaultProxy.Weather.CLEAR);
      await().atMost(Patience.LIMIT).until(() -> link.environment().isPresent());
    }
  }
}
