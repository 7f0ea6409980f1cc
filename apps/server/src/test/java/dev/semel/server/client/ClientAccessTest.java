package dev.semel.server.client;

import static dev.semel.server.client.ClientContract.refused;
import static dev.semel.server.client.ClientContract.utf8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.server.AccessRules;
import dev.semel.stream.ContentType;
import dev.semel.stream.client.DurableStream;
import dev.semel.stream.client.ReadOptions;
import dev.semel.stream.client.ReadOptions.Live;
import dev.semel.stream.client.StreamClient;
import dev.semel.stream.client.StreamReader;
import dev.semel.stream.client.StreamRefused.Reason;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tokens: none, a wrong one, and one that is renewed while a reader reads. */
@Tag("service")
class ClientAccessTest {
  private static final String SECRET = "very-secret-token-1234";
  private static final String WRONG = "quite-wrong-token-1234";

  @Test
  void onlyTheRightTokenOpensAStream(@TempDir Path folder) throws Exception {
    Path file = folder.resolve("tokens");
    Files.writeString(file, SECRET + " admin\n");
    try (AnyServer server =
            AnyServer.memory(AnyServer.settings().withAccess(AccessRules.parse(file)));
        StreamClient client =
            StreamClient.connect(URI.create("http://127.0.0.1:" + server.port()))) {
      DurableStream stream = client.withToken(SECRET).stream("a/b c");
      stream.create(ContentType.JSON);
      stream.append(utf8("1"));

      refused(() -> client.stream("a/b c").info(), Reason.NOT_ALLOWED, 401);
      for (Live live : Live.values()) {
        try (StreamReader reader =
            client.withToken(WRONG).stream("a/b c").read(ReadOptions.defaults().withLive(live))) {
          assertThatThrownBy(reader::next)
              .hasMessageContaining("does not know this one")
              .hasMessageNotContaining(WRONG);
        }
      }

      AtomicReference<String> token = new AtomicReference<>(WRONG);
      StreamClient renewing =
          client.withHeaders(() -> Map.of("Authorization", "Bearer " + token.get()));
      try (StreamReader reader =
          renewing.stream("a/b c").read(ReadOptions.defaults().withLive(Live.AUTO))) {
        refused(reader::next, Reason.NOT_ALLOWED, 401);
        token.set(SECRET);
        assertThat(reader.next().orElseThrow().messages()).containsExactly("1");
      }
    }
  }
}
