package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.StoreException;
import dev.semel.admin.ControlCenter;
import dev.semel.admin.Estate;
import dev.semel.admin.remote.RemoteCenter;
import dev.semel.idempotency.MemoryStore;
import dev.semel.json.Json;
import dev.semel.server.SemelServer;
import dev.semel.server.admin.Administration;
import dev.semel.stream.MemoryStreams;
import java.net.URI;
import java.time.InstantSource;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The same through a server of its own, over real sockets. */
class RemoteCenterTest extends ControlCenterContract {
  private @Nullable SemelServer server;

  @Override
  ControlCenter center(Estate estate) {
    SemelServer started = serve(estate);
    server = started;
    return new RemoteCenter(address(started), "");
  }

  private static SemelServer serve(Estate estate) {
    return SemelServer.start(
        dev.semel.server.Settings.defaults().withAddress("127.0.0.1", 0),
        new MemoryStreams(InstantSource.system()),
        new Administration(estate, Json.object().build()));
  }

  private static URI address(SemelServer started) {
    return URI.create("http://127.0.0.1:" + started.port());
  }

  @Override
  String actor() {
    return "loopback";
  }

  @Override
  void end() {
    Objects.requireNonNull(server).close();
  }

  @Test
  void whatTheEstateLacksIsNotThere() {
    SemelServer bare = serve(Estate.of(new MemoryStore(InstantSource.system())));
    URI address = address(bare);
    try (ControlCenter center = new RemoteCenter(address, "")) {
      assertThat(center.outbox()).isEmpty();
      assertThat(center.inbox()).isEmpty();
      assertThat(center.jobs()).isEmpty();
      bare.close();
      assertThatThrownBy(center::stats)
          .isInstanceOf(StoreException.class)
          .hasMessageContaining("can't be reached");
    }
  }
}
