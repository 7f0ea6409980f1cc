package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.Filter;
import jakarta.servlet.ReadListener;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.http.HttpServletRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The filter reads the body before the handler runs; the handler must not notice. */
final class RepeatableRequestTest {
  private static final String FORM = "application/x-www-form-urlencoded";

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.UTF_8);
  }

  @Test
  void theStreamGivesEveryByteOnce() {
    byte[] body = new byte[70_000];
    for (int i = 0; i < body.length; i++) {
      body[i] = (byte) i;
    }
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              ServletInputStream in = request.getInputStream();
              assertThat(in.isReady()).isTrue();
              assertThat(in.isFinished()).isFalse();
              int first = in.read();
              byte[] rest = in.readAllBytes();
              assertThat(in.read()).isEqualTo(-1);
              assertThat(in.isFinished()).isTrue();
              assertThat(request.getInputStream()).isSameAs(in);
              response.getOutputStream().write(first);
              response.getOutputStream().write(rest);
            })) {
      HttpResponse<byte[]> answer =
          shop.post(Shop.freshKey(), "/pay", "application/octet-stream", body);
      assertThat(answer.body()).isEqualTo(body);
    }
  }

  @Test
  void theReaderKnowsTheCharacterSet() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setContentType("text/plain;charset=utf-8");
              response.getWriter().write(request.getReader().lines().collect(Collectors.joining()));
            })) {
      byte[] latin = "Zoë".getBytes(StandardCharsets.ISO_8859_1);
      assertThat(Shop.text(shop.post(Shop.freshKey(), "/", "text/plain;charset=iso-8859-1", latin)))
          .isEqualTo("Zoë");
      assertThat(Shop.text(shop.post(Shop.freshKey(), "/", "text/plain", latin))).isEqualTo("Zoë");
      assertThat(Shop.text(shop.post(Shop.freshKey(), "/", "application/json", bytes("\"Zoë\""))))
          .isEqualTo("\"Zoë\"");
    }
  }

  private static String parameters(HttpServletRequest request) {
    return request.getParameterMap().entrySet().stream()
        .map(e -> e.getKey() + "=" + Arrays.toString(e.getValue()))
        .collect(Collectors.joining(" "));
  }

  @Test
  void aFormsFieldsComeAfterTheQuerys() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setContentType("text/plain;charset=utf-8");
              response.getWriter().write(parameters(request));
              assertThat(request.getParameter("to")).isEqualTo("Zoë & Co");
              assertThat(request.getParameter("none")).isNull();
              assertThat(request.getParameterValues("a")).containsExactly("1", "2", "3");
            })) {
      HttpResponse<byte[]> answer =
          shop.post(
              Shop.freshKey(), "/pay?a=1&q=x", FORM, bytes("a=2&to=Zo%C3%AB+%26+Co&a=3&empty&&"));
      assertThat(Shop.text(answer)).isEqualTo("a=[1, 2, 3] q=[x] to=[Zoë & Co] empty=[]");
    }
  }

  @Test
  void aFormMayBeInAnotherCharacterSetWhichItsHandlerMayHaveToSay() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              if (request.getCharacterEncoding() == null) {
                request.setCharacterEncoding("iso-8859-1");
              }
              response.setContentType("text/plain;charset=utf-8");
              response.getWriter().write(String.valueOf(request.getParameter("to")));
            })) {
      assertThat(Shop.text(shop.post(Shop.freshKey(), "/", FORM, bytes("to=Zo%EB"))))
          .isEqualTo("Zoë");
      assertThat(
              Shop.text(
                  shop.post(
                      Shop.freshKey(), "/", FORM + "; charset=ISO-8859-1", bytes("to=Zo%EB"))))
          .isEqualTo("Zoë");
    }
  }

  @Test
  void whoDoesNotBlockIsToldThatAllIsThere() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              ServletInputStream in = request.getInputStream();
              ByteArrayOutputStream seen = new ByteArrayOutputStream();
              AtomicReference<String> end = new AtomicReference<>("");
              in.setReadListener(
                  new ReadListener() {
                    @Override
                    public void onDataAvailable() throws IOException {
                      byte[] part = new byte[4];
                      while (in.isReady() && !in.isFinished()) {
                        seen.write(part, 0, in.read(part));
                      }
                    }

                    @Override
                    public void onAllDataRead() {
                      end.set("all");
                    }

                    @Override
                    public void onError(Throwable failure) {
                      end.set("failed");
                    }
                  });
              response.getOutputStream().write(seen.toByteArray());
              response.getOutputStream().print(end.get());
            })) {
      assertThat(Shop.text(shop.post(Shop.freshKey()))).isEqualTo("10 EURall");
    }
  }

  @Test
  void aBodyThatAnotherFilterTookAwayIsFoundOutAndNothingRuns() {
    Filter greedy =
        (request, response, chain) -> {
          request.getParameterMap();
          chain.doFilter(request, response);
        };
    Shop shop = new Shop();
    shop.jetty().filter(greedy);
    try (shop) {
      shop.guard(Shop.RULES).serve("/*", (request, response) -> response.setStatus(204)).open();
      assertThat(shop.post(Shop.freshKey(), "/", FORM, bytes("amount=10")).statusCode())
          .isEqualTo(500);
      var chunked =
          shop.request(Shop.freshKey(), "/")
              .header("Content-Type", FORM)
              .POST(BodyPublishers.fromPublisher(BodyPublishers.ofString("amount=10")))
              .build();
      assertThat(shop.send(chunked).statusCode()).isEqualTo(500);
      assertThat(shop.records()).isZero();
      assertThat(shop.post(Shop.freshKey(), "/", FORM, bytes("")).statusCode()).isEqualTo(204);
    }
  }
}
