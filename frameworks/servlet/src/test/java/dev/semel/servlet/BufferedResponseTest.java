package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import dev.semel.http.HttpHeader;
import dev.semel.http.HttpRefusal;
import dev.semel.http.KeptStatuses;
import dev.semel.idempotency.ExecutionPolicy;
import jakarta.servlet.http.Cookie;
import java.net.http.HttpResponse;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Handlers' uses of a response; the first client and all later ones must get the same answer. */
final class BufferedResponseTest {
  private static void replays(Shop.Handler handler, int status, String body) {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              runs.incrementAndGet();
              handler.handle(request, response);
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(status);
      assertThat(Shop.text(first)).isEqualTo(body);
      Shop.assertReplayed(first, shop.post(key));
      assertThat(runs).hasValue(1);
    }
  }

  @Test
  void aWritersCharactersAreReplayedInItsCharacterSet() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setContentType("text/html");
              response.setCharacterEncoding("utf-8");
              response.getWriter().print("Zoë");
              response.setContentType("text/plain;charset=utf-16"); // too late for characters
              response.setCharacterEncoding("utf-16");
              response.getWriter().print("!");
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(Shop.text(first)).isEqualTo("Zoë!");
      assertThat(Shop.header(first, "Content-Type"))
          .isEqualToIgnoringCase("text/plain;charset=utf-8");
      Shop.assertReplayed(first, shop.post(key));
    }
  }

  @Test
  void flushingSendsNothing() {
    replays(
        (request, response) -> {
          response.getWriter().print("one");
          response.getWriter().flush();
          response.flushBuffer();
          assertThat(response.isCommitted()).isFalse();
          response.resetBuffer();
          response.getWriter().print("two");
        },
        200,
        "two");
  }

  @Test
  void startingAnewForgetsStatusHeadersAndBody() {
    replays(
        (request, response) -> {
          response.setStatus(201);
          response.setHeader("ETag", "\"1\"");
          response.setContentLength(3);
          response.getWriter().print("one");
          response.reset();
          assertThat(response.getHeader("ETag")).isNull();
          response.getOutputStream().print("three");
        },
        200,
        "three");
  }

  @Test
  void aWrongLengthIsPutRight() {
    replays(
        (request, response) -> {
          response.setHeader("Content-Length", "2");
          response.setIntHeader("content-length", 2);
          response.getOutputStream().print("five5");
        },
        200,
        "five5");
  }

  @Test
  void aLocaleIsReplayed() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setLocale(Locale.FRANCE);
              response.getWriter().print("été");
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      HttpResponse<byte[]> again = shop.post(key);
      Shop.assertReplayed(first, again);
      assertThat(Shop.header(again, "Content-Language")).isEqualTo("fr-FR");
    }
  }

  @Test
  void redirectsAreReplayed() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.getWriter().print("never seen");
              response.sendRedirect("/receipts/1");
              assertThat(response.isCommitted()).isTrue();
              response.getWriter().print("nor this");
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(302);
      assertThat(Shop.header(first, "Location")).isEqualTo("/receipts/1");
      assertThat(first.body()).isEmpty();
      Shop.assertReplayed(first, shop.post(key));
    }
  }

  @Test
  void errorsThatAreKeptAreProblemsAndReplayed() {
    replays(
        (request, response) -> {
          response.getWriter().print("never seen");
          response.sendError(404, "no such \"account\"");
        },
        404,
        "{\"type\":\"about:blank\",\"status\":404,\"detail\":\"no such \\\"account\\\"\"}");
  }

  @Test
  void errorsCanBeWrittenByAPageOfTheApplication() {
    AtomicInteger pages = new AtomicInteger();
    Shop shop = new Shop().guard(Shop.RULES, filter -> filter.withErrorPage("/error"));
    shop.serve(
            "/error",
            (request, response) -> {
              response.setContentType("application/json");
              response
                  .getOutputStream()
                  .print(
                      "%s %s %s %d"
                          .formatted(
                              request.getAttribute("jakarta.servlet.error.status_code"),
                              request.getAttribute("jakarta.servlet.error.message"),
                              request.getAttribute("jakarta.servlet.error.request_uri"),
                              pages.incrementAndGet()));
            })
        .serve(
            "/pay",
            (request, response) -> {
              response.getWriter().print("never seen");
              response.sendError(409, "sold");
            })
        .open();
    try (shop) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(409);
      assertThat(Shop.text(first)).isEqualTo("409 sold /pay 1");
      Shop.assertReplayed(first, shop.post(key));
    }
  }

  @Test
  void errorsThatAreNotKeptAreTheContainers() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              runs.incrementAndGet();
              response.sendError(503, "later");
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.statusCode()).isEqualTo(503);
      assertThat(Shop.text(first)).contains("html");
      assertThat(shop.post(key).statusCode()).isEqualTo(503);
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  void serverErrorsCanBeKeptAndClientErrorsGivenBack() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            Shop.RULES.withKept(new KeptStatuses(false, true, Set.of())),
            (request, response) ->
                response.sendError(runs.incrementAndGet() == 1 ? 404 : 500, "run " + runs))) {
      String key = Shop.freshKey();
      assertThat(shop.post(key).statusCode()).isEqualTo(404);
      HttpResponse<byte[]> second = shop.post(key);
      assertThat(second.statusCode()).isEqualTo(500);
      Shop.assertReplayed(second, shop.post(key));
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  void whatAHandlerThrowsIsThrownOnAndTheRetryRuns() {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setStatus(201);
              response.getWriter().print("never seen");
              if (runs.incrementAndGet() == 1) {
                throw new IllegalStateException("broken");
              }
            })) {
      String key = Shop.freshKey();
      assertThat(shop.post(key).statusCode()).isEqualTo(500);
      HttpResponse<byte[]> second = shop.post(key);
      assertThat(second.statusCode()).isEqualTo(201);
      Shop.assertReplayed(second, shop.post(key));
      assertThat(runs).hasValue(2);
    }
  }

  @Test
  void cookiesGoToTheFirstClientOnly() {
    try (Shop shop =
        Shop.of((request, response) -> response.addCookie(new Cookie("session", "secret")))) {
      String key = Shop.freshKey();
      assertThat(Shop.header(shop.post(key), "Set-Cookie")).contains("secret");
      assertThat(Shop.header(shop.post(key), "Set-Cookie")).isEmpty();
    }
  }

  @Test
  void headersOfFiltersBeforeStayAndAreNotDoubled() {
    Shop shop = new Shop();
    shop.jetty()
        .filter(
            (request, response, chain) -> {
              ((jakarta.servlet.http.HttpServletResponse) response).addHeader("Vary", "Origin");
              ((jakarta.servlet.http.HttpServletResponse) response).setHeader("X-Frame", "deny");
              chain.doFilter(request, response);
            });
    try (shop) {
      shop.guard(Shop.RULES)
          .serve("/*", (request, response) -> response.addHeader("Vary", "Accept"))
          .open();
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(Shop.header(first, "Vary")).isEqualTo("Origin | Accept");
      HttpResponse<byte[]> again = shop.post(key);
      Shop.assertReplayed(first, again);
      assertThat(Shop.header(again, "X-Frame")).isEqualTo("deny");
    }
  }

  @Test
  void anAnswerOverTheLimitArrivesWholeHoweverItIsWritten() {
    try (Shop shop =
        Shop.of(
            Shop.RULES.withPolicy(ExecutionPolicy.defaults().withMaxResponseBytes(1000)),
            (request, response) -> {
              for (int i = 0; i < 300; i++) {
                response.getWriter().print("0123456789");
              }
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = shop.post(key);
      assertThat(first.body()).hasSize(3000);
      assertThat(Shop.header(first, HttpHeader.KEY)).isEqualTo(key);
      HttpResponse<byte[]> again = shop.post(key);
      assertThat(again.statusCode()).isEqualTo(409);
      assertThat(Shop.text(again)).contains(HttpRefusal.NOT_REPLAYABLE.type());
    }
  }

  @Test
  void aHandlerCanAskNotToBeBuffered() throws Exception {
    CountDownLatch seen = new CountDownLatch(1);
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setHeader("X-Accel-Buffering", "no");
              response.getOutputStream().print("first");
              response.flushBuffer();
              try {
                seen.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              response.getOutputStream().print("second");
            })) {
      String key = Shop.freshKey();
      try (RawClient client = new RawClient(shop.jetty().uri())) {
        client.send(
            "POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: %s\r\nContent-Length: 0\r\n\r\n"
                .formatted(key));
        client.readUntil("first");
        seen.countDown();
        client.readUntil("second");
      }
      assertThat(Shop.text(shop.post(key, "/", "text/plain", new byte[0])))
          .contains(HttpRefusal.NOT_REPLAYABLE.type());
    }
  }

  @Test
  void oneOverTheLimitWhoseClientLeftIsRecordedAllTheSame() throws Exception {
    CountDownLatch gone = new CountDownLatch(1);
    AtomicInteger ends = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            Shop.RULES.withPolicy(ExecutionPolicy.defaults().withMaxResponseBytes(1000)),
            (request, response) -> {
              response.getOutputStream().write(new byte[2000]);
              response.flushBuffer();
              try {
                gone.await();
              } catch (InterruptedException e) {
                throw new IllegalStateException(e);
              }
              for (int i = 0; i < 1000; i++) { // more than the network buffers
                response.getOutputStream().write(new byte[10_000]);
                response.flushBuffer();
              }
              ends.incrementAndGet();
            })) {
      String key = Shop.freshKey();
      RawClient client = new RawClient(shop.jetty().uri());
      client.send(
          "POST / HTTP/1.1\r\nHost: a\r\nIdempotency-Key: %s\r\nContent-Length: 0\r\n\r\n"
              .formatted(key));
      client.readUntil("\r\n\r\n");
      client.hangUp();
      gone.countDown();
      HttpResponse<byte[]> again;
      do {
        again = shop.post(key, "/", "text/plain", new byte[0]);
      } while (Shop.text(again).contains(HttpRefusal.IN_FLIGHT.type()));
      assertThat(Shop.text(again)).contains(HttpRefusal.NOT_REPLAYABLE.type());
      assertThat(ends).hasValue(1);
    }
  }
}
