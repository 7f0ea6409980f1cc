package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.Tenant;
import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.http.KeyRule;
import dev.semel.idempotency.EffectUnknown;
import dev.semel.idempotency.Execution;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.security.Principal;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

/** Which requests are guarded, for which tenant, and that each is guarded once. */
final class DispatchTest {
  @Test
  void aHandlerFindsItsExecution() {
    AtomicReference<Execution> seen = new AtomicReference<>();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              seen.set(IdempotencyFilter.execution(request).orElseThrow());
              assertThat(seen.get().held()).isTrue();
              response.setStatus(204);
            })) {
      assertThat(shop.post("k-1").statusCode()).isEqualTo(204);
      assertThat(seen.get().key().text()).isEqualTo("default/shop:k-1");
      assertThat(seen.get().attempt()).isEqualTo(1);
      assertThat(seen.get().effectKey()).isNotEmpty();
    }
  }

  @Test
  void aHandlerThatCannotTellLeavesItsKeyInDoubtHoweverThatIsWrapped() {
    EffectUnknown unknown = new EffectUnknown("no answer", new IOException("reset"));
    for (Exception thrown :
        List.of(unknown, new ServletException(unknown), new IllegalStateException(unknown))) {
      AtomicInteger charges = new AtomicInteger();
      try (Shop shop =
          Shop.of(
              (request, response) -> {
                charges.incrementAndGet();
                if (thrown instanceof ServletException wrapped) {
                  throw wrapped;
                }
                throw (RuntimeException) thrown;
              })) {
        assertThat(shop.post("k-1").statusCode()).isEqualTo(500);
        HttpResponse<byte[]> again = shop.postOnceSettled("k-1");
        assertThat(again.statusCode()).as(thrown.toString()).isEqualTo(409);
        assertThat(Shop.text(again)).contains(HttpRefusal.IN_DOUBT.type());
        assertThat(charges).hasValue(1);
      }
    }
  }

  @Test
  void whereNothingIsGuardedThereIsNoExecution() {
    try (Shop shop =
        Shop.of(
            (request, response) ->
                response.setStatus(IdempotencyFilter.execution(request).isEmpty() ? 204 : 500))) {
      var get = shop.request(Shop.freshKey(), "/").GET().build();
      assertThat(shop.send(get).statusCode()).isEqualTo(204);
    }
  }

  @Test
  void forwardsIncludesAndASecondFilterAreNotGuardedAgain() {
    Shop shop = new Shop().guard(Shop.RULES).guard(Shop.RULES.withKeyRule(KeyRule.REQUIRED));
    shop.serve("/target", (request, response) -> response.getOutputStream().print("target"))
        .serve(
            "/forward",
            (request, response) ->
                request.getRequestDispatcher("/target").forward(request, response))
        .serve(
            "/include",
            (request, response) -> {
              response.getOutputStream().print("before ");
              request.getRequestDispatcher("/target").include(request, response);
              response.getOutputStream().print(" after");
            })
        .open();
    try (shop) {
      for (String way : List.of("forward", "include")) {
        String key = Shop.freshKey();
        HttpResponse<byte[]> first = shop.post(key, "/" + way, "text/plain", new byte[0]);
        assertThat(Shop.text(first))
            .isEqualTo(way.equals("forward") ? "target" : "before target after");
        Shop.assertReplayed(first, shop.post(key, "/" + way, "text/plain", new byte[0]));
      }
      assertThat(shop.records()).isEqualTo(2);
    }
  }

  @Test
  void theContainersErrorPageIsNotGuarded() {
    AtomicInteger pages = new AtomicInteger();
    Shop shop = new Shop().guard(Shop.RULES);
    var errors = new org.eclipse.jetty.ee10.servlet.ErrorPageErrorHandler();
    errors.addErrorPage(500, "/oops");
    shop.jetty().context().setErrorHandler(errors);
    shop.serve(
            "/oops",
            (request, response) -> {
              pages.incrementAndGet();
              response.getOutputStream().print("oops");
            })
        .serve(
            "/pay",
            (request, response) -> {
              throw new IllegalStateException("broken");
            })
        .open();
    try (shop) {
      String key = Shop.freshKey();
      for (int i = 1; i <= 2; i++) {
        HttpResponse<byte[]> answer = shop.post(key);
        assertThat(answer.statusCode()).isEqualTo(500);
        assertThat(Shop.text(answer)).isEqualTo("oops");
        assertThat(pages).hasValue(i);
      }
    }
  }

  @Test
  void theFirstRouteThatMatchesDecidesHoweverItsPathIsWritten() {
    Shop shop = new Shop();
    shop.jetty()
        .filter(
            new IdempotencyFilter(
                List.of(
                    new GuardedRoute("/pay", shop.http(Shop.RULES.withKeyRule(KeyRule.REQUIRED))),
                    new GuardedRoute("/pay/*", shop.http(Shop.RULES)))));
    try (shop) {
      shop.serve("/*", (request, response) -> response.setStatus(204)).open();
      for (String target : List.of("/pay", "/%70ay", "/./pay", "/x/../pay", "/pay;a=b")) {
        assertThat(unkeyed(shop, target).statusCode()).as(target).isEqualTo(400);
      }
      assertThat(unkeyed(shop, "/pay/1").statusCode()).isEqualTo(204);
      assertThat(unkeyed(shop, "/paypal").statusCode()).isEqualTo(204);
      assertThat(
              Shop.header(
                  shop.post(Shop.freshKey(), "/paypal", "text/plain", new byte[0]), HttpHeader.KEY))
          .isEmpty();
    }
  }

  private static HttpResponse<byte[]> unkeyed(Shop shop, String target) {
    return shop.send(
        java.net.http.HttpRequest.newBuilder(java.net.URI.create(shop.jetty().uri() + target))
            .POST(BodyPublishers.noBody())
            .build());
  }

  /** Stands in for authentication. */
  private static final class Known extends HttpServletRequestWrapper {
    private final String who;

    Known(HttpServletRequest request, String who) {
      super(request);
      this.who = who;
    }

    @Override
    public Principal getUserPrincipal() {
      return () -> who;
    }
  }

  private static Shop authenticated(Shop.Handler handler) {
    Shop shop = new Shop();
    shop.jetty()
        .filter(
            (request, response, chain) -> {
              HttpServletRequest http = (HttpServletRequest) request;
              String who = http.getHeader("X-Who");
              chain.doFilter(who == null ? http : new Known(http, who), response);
            });
    return shop.guard(Shop.RULES).serve("/*", handler).open();
  }

  @Test
  void keysBelongToTheAuthenticatedCaller() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        authenticated(
            (request, response) ->
                response
                    .getOutputStream()
                    .print(
                        runs.incrementAndGet()
                            + " "
                            + IdempotencyFilter.execution(request).orElseThrow().key().tenant()))) {
      for (String who : List.of("ann", "bob", Tenant.DEFAULT.name())) {
        var request =
            shop.request("the-same", "/").POST(BodyPublishers.noBody()).header("X-Who", who);
        HttpResponse<byte[]> first = shop.send(request.build());
        Shop.assertReplayed(first, shop.send(request.build()));
      }
      assertThat(runs).hasValue(3);
      shop.post("the-same", "/", "text/plain", new byte[0]);
      assertThat(runs).as("nobody is not the caller named default").hasValue(4);
    }
  }

  @Test
  void theTenantCanComeFromElsewhere() {
    AtomicReference<String> tenant = new AtomicReference<>("");
    Shop shop =
        new Shop()
            .guard(
                Shop.RULES,
                filter -> filter.withTenant(request -> new Tenant(request.getHeader("X-Shop"))));
    shop.serve(
            "/*",
            (request, response) ->
                tenant.set(
                    IdempotencyFilter.execution(request).orElseThrow().key().tenant().name()))
        .open();
    try (shop) {
      shop.send(
          shop.request("k", "/").header("X-Shop", "north").POST(BodyPublishers.noBody()).build());
      assertThat(tenant.get()).isEqualTo("north");
    }
  }
}
