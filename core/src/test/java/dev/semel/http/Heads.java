package dev.semel.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Key;
import dev.semel.Tenant;
import dev.semel.Token;
import dev.semel.http.spi.BodyDecision;
import dev.semel.http.spi.GuardedRequest;
import dev.semel.http.spi.HeadDecision;
import dev.semel.http.spi.HttpRequest;
import dev.semel.idempotency.Execution;
import dev.semel.idempotency.ExecutionPolicy;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Requests for tests. */
final class Heads {
  static final Execution EXECUTION =
      new Execution() {
        private final Token token = Token.draw();

        @Override
        public Key key() {
          return Key.of("payments", "k1");
        }

        @Override
        public int attempt() {
          return 1;
        }

        @Override
        public boolean takenOver() {
          return false;
        }

        @Override
        public Token token() {
          return token;
        }

        @Override
        public ExecutionPolicy policy() {
          return ExecutionPolicy.defaults();
        }

        @Override
        public boolean held() {
          return true;
        }
      };

  private Heads() {}

  static HttpRequest post(String... keys) {
    return request("POST", "/charge", HttpHeader.KEY, keys);
  }

  static HttpRequest request(String method, String path, String header, String... values) {
    return new HttpRequest(
        Tenant.DEFAULT,
        method,
        path,
        "",
        name -> name.equalsIgnoreCase(header) ? List.of(values) : List.of());
  }

  static BodyDecision read(HttpIdempotency http, HttpRequest head, String body) {
    HeadDecision look = http.look(head);
    assertThat(look).isInstanceOf(HeadDecision.NeedsBody.class);
    return http.read((HeadDecision.NeedsBody) look, body.getBytes(StandardCharsets.UTF_8));
  }

  static GuardedRequest guarded(HttpIdempotency http, HttpRequest head, String body) {
    BodyDecision read = read(http, head, body);
    assertThat(read).isInstanceOf(BodyDecision.Ready.class);
    return ((BodyDecision.Ready) read).guarded();
  }
}
