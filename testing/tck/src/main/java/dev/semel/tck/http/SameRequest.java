package dev.semel.tck.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpRefusal;
import dev.semel.http.KeySource;
import dev.semel.idempotency.Fingerprinters;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which requests count as the same, and to whom they belong. */
abstract class SameRequest extends HttpWords {
  @Test
  void anotherBodyQueryPathOrMethodIsAnotherRequest() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      HttpResponse<byte[]> first = send(front, click);
      for (ClickedRequest other :
          List.of(
              click.body("{\"amount\":11}"),
              click.body(""),
              click.body(ClickedRequest.BODY + " "),
              click.to("/charge?currency=EUR"),
              click.to("/refund"),
              click.by("PATCH"))) {
        assertRefused(send(front, other), HttpRefusal.MISMATCH, 422);
      }
      assertReplays(first, send(front, click));
      assertThat(executions(front, "/charge")).isEqualTo(1);
      assertThat(executions(front, "/refund")).isZero();
    }
  }

  @Test
  void anotherQueryIsAnotherRequestToo() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click().to("/charge?a=1&b=2");
      send(front, click);
      for (String target :
          List.of("/charge", "/charge?a=1", "/charge?b=2&a=1", "/charge?a=1&b=3")) {
        assertRefused(send(front, click.to(target)), HttpRefusal.MISMATCH, 422);
      }
    }
  }

  @Test
  void headersDoNotCountUnlessChosen() {
    try (HttpFront front = start(RULES.withFingerprintHeaders(List.of("X-Account")))) {
      ClickedRequest click = click().header("X-Account", "7");
      HttpResponse<byte[]> first = send(front, click.header("X-Trace", "1"));
      assertReplays(first, send(front, click.header("X-Trace", "2")));
      ClickedRequest plain =
          new ClickedRequest("POST", "/charge", click.headers().subList(0, 1), ClickedRequest.BODY);
      assertRefused(send(front, plain), HttpRefusal.MISMATCH, 422);
      assertRefused(send(front, plain.header("X-Account", "8")), HttpRefusal.MISMATCH, 422);
    }
  }

  @Test
  void bodiesCanBeComparedByTheirMeaning() {
    try (HttpFront front = start(RULES.withBody(Fingerprinters.HASHED.json()))) {
      ClickedRequest click = click().body("{\"a\":1,\"b\":2}");
      assertReplays(send(front, click), send(front, click.body("{ \"b\": 2.0, \"a\": 1 }")));
    }
  }

  @Test
  void anotherTenantHasItsOwnExecutionAndNeverSeesAnothers() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      HttpResponse<byte[]> alice = send(front, click.as("alice"));
      HttpResponse<byte[]> bob = send(front, click.as("bob"));
      HttpResponse<byte[]> nobody = send(front, click);
      assertExecuted(alice, 201);
      assertExecuted(bob, 201);
      assertExecuted(nobody, 201);
      assertThat(executions(front, "/charge")).isEqualTo(3);
      assertReplays(alice, send(front, click.as("alice")));
      assertReplays(bob, send(front, click.as("bob")));
      assertReplays(nobody, send(front, click));
      assertThat(text(alice)).isNotEqualTo(text(bob)).isNotEqualTo(text(nobody));
    }
  }

  @Test
  void whatAnotherTenantSentIsNoMismatch() {
    try (HttpFront front = start(RULES)) {
      ClickedRequest click = click();
      send(front, click.as("alice"));
      assertExecuted(send(front, click.as("bob").body("{\"amount\":11}")), 201);
    }
  }

  @Test
  void whereTheContentIsTheKeyTheSameContentRunsOnce() {
    try (HttpFront front = start(RULES.withKeySource(new KeySource.Content()))) {
      ClickedRequest click = ClickedRequest.post("/charge");
      HttpResponse<byte[]> first = send(front, click);
      assertExecuted(first, 201);
      assertReplays(first, send(front, click));
      assertReplays(first, send(front, click.key("ignored")));
      assertExecuted(send(front, click.body("{\"amount\":11}")), 201);
      assertExecuted(send(front, click.to("/charge?again=1")), 201);
      assertExecuted(send(front, click.to("/refund")), 201);
      assertExecuted(send(front, click.as("alice")), 201);
      assertThat(executions(front, "/charge")).isEqualTo(4);
    }
  }
}
