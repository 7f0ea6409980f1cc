package dev.semel.servlet;

import static org.assertj.core.api.Assertions.assertThat;

import jakarta.servlet.MultipartConfigElement;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.Part;
import java.io.IOException;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.eclipse.jetty.ee10.servlet.ServletHolder;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The parts of a form whose bytes the filter read before the handler runs. */
final class MultipartTest {
  private static final String TYPE = "multipart/form-data; boundary=b";
  private static final String UPLOAD =
      String.join(
          "\r\n",
          "--b",
          "Content-Disposition: form-data; name=\"amount\"",
          "",
          "10 €",
          "--b",
          "content-disposition: form-data; filename=\"a \\\"b\\\".csv\"; name=\"file\"",
          "Content-Type: text/csv",
          "X-Own: 1",
          "",
          "1;2\r\n--bulk;3\r\n",
          "--b",
          "Content-Disposition: form-data; name=empty",
          "",
          "",
          "--b--",
          "");

  private static HttpResponse<byte[]> post(Shop shop, String key, String type, String body) {
    return shop.post(key, "/pay?amount=5", type, body.getBytes(StandardCharsets.UTF_8));
  }

  private static String described(HttpServletRequest request) throws IOException, ServletException {
    StringBuilder text = new StringBuilder();
    for (Part part : request.getParts()) {
      byte[] content = part.getInputStream().readAllBytes();
      assertThat(part.getSize()).isEqualTo(content.length);
      text.append(part.getName())
          .append('|')
          .append(part.getSubmittedFileName())
          .append('|')
          .append(part.getContentType())
          .append('|')
          .append(part.getHeader("x-own"))
          .append('|')
          .append(new String(content, StandardCharsets.UTF_8))
          .append('\n');
    }
    return text.toString();
  }

  @Test
  void partsAreThoseThatTheClientSentAndARetryGetsTheSameAnswer() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setContentType("text/plain;charset=utf-8");
              response.getWriter().write(described(request));
            })) {
      String key = Shop.freshKey();
      HttpResponse<byte[]> first = post(shop, key, TYPE, UPLOAD);
      assertThat(Shop.text(first).split("(?<=\\|)", -1)).hasSize(13);
      assertThat(Shop.text(first))
          .startsWith("amount|null|null|null|10 €\nfile|")
          .contains("file|a \"b\".csv|text/csv|1|1;2\r\n--bulk;3\r\n\n")
          .endsWith("\nempty|null|null|null|\n");
      Shop.assertReplayed(first, post(shop, key, TYPE, UPLOAD));
    }
  }

  @Test
  void fieldsAreParametersAfterThoseOfTheQueryAndFilesAreNot() {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              response.setContentType("text/plain;charset=utf-8");
              response
                  .getWriter()
                  .write(
                      request.getParameterMap().entrySet().stream()
                          .map(e -> e.getKey() + "=" + Arrays.toString(e.getValue()))
                          .collect(Collectors.joining(" ")));
            })) {
      assertThat(Shop.text(post(shop, Shop.freshKey(), TYPE, UPLOAD)))
          .isEqualTo("amount=[5, 10 €] empty=[]");
    }
  }

  /** A container that would read parts must not be asked, because the body is consumed. */
  @Test
  void aServletWithAConfigurationOfItsOwnFindsTheSame() {
    ServletHolder holder =
        new ServletHolder(
            Shop.servlet(
                (request, response) -> {
                  response.setContentType("text/plain;charset=utf-8");
                  response
                      .getWriter()
                      .write(request.getParameter("amount") + " " + described(request));
                }));
    holder.getRegistration().setMultipartConfig(new MultipartConfigElement(""));
    Shop shop = new Shop().guard(Shop.RULES);
    shop.jetty().context().addServlet(holder, "/*");
    try (shop) {
      shop.open();
      assertThat(Shop.text(post(shop, Shop.freshKey(), TYPE, UPLOAD)))
          .startsWith("5 amount|null")
          .contains("text/csv");
    }
  }

  @Test
  void onePartCanBeAskedForByItsNameAndWrittenToAFile(@TempDir Path folder) {
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              assertThat(request.getPart("none")).isNull();
              Part file = request.getPart("file");
              file.write(folder.resolve("upload").toString());
              file.delete();
              response.getOutputStream().write(Files.readAllBytes(folder.resolve("upload")));
            })) {
      String body = "a line that means nothing\r\n" + UPLOAD + "nor does this";
      String quoted = "Multipart/Form-Data; charset=utf-8; Boundary=\"b\"";
      assertThat(Shop.text(post(shop, Shop.freshKey(), quoted, body)))
          .isEqualTo("1;2\r\n--bulk;3\r\n");
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "--b",
        "--b\r\n",
        "--b\r\n\r\n",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--b",
        "--b\r\nContent-Disposition: form-data; name=a\r\n\r\nx\r\n--c--",
        "--b\r\nContent-Disposition: form-data\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: attachment; name=a\r\n\r\nx\r\n--b--",
        "--b\r\nContent-Disposition: form-data; name=\"a\r\n\r\nx\r\n--b--",
        "--b\r\n: form-data; name=a\r\n\r\nx\r\n--b--",
        "--b\r\n folded: form-data; name=a\r\n\r\nx\r\n--b--",
        "--b\r\n\r\nno headers\r\n--b--"
      })
  void whatIsNoFormIsRefusedAndItsKeyGivenBack(String body) {
    assertRefused(TYPE, body);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "multipart/form-data",
        "multipart/form-data; boundary=",
        "multipart/form-data; boundary=\"\"",
        "multipart/mixed; boundary=b",
        "text/plain"
      })
  void whatHasNoPartsIsRefused(String type) {
    assertRefused(type, UPLOAD);
  }

  /** Each would take too long, or too much memory, if it were read to its end. */
  @Test
  @Timeout(600)
  void whatIsTooMuchIsRefused() {
    String part = "Content-Disposition: form-data; name=a\r\n\r\n\r\n--b";
    assertRefused(TYPE, "--b" + ("\r\n" + part).repeat(MultipartForm.MAX_PARTS + 1) + "--");
    String large = "X: " + " x".repeat(MultipartForm.MAX_HEADER_BYTES) + "\r\n";
    assertRefused(TYPE, "--b\r\n" + large + part + "--");
    assertRefused(
        TYPE, "--b\r\n" + "X: y\r\n".repeat(MultipartForm.MAX_HEADER_BYTES) + part + "--");
    String name = "\\a".repeat(4000);
    assertRefused(
        TYPE, "--b\r\nContent-Disposition: form-data; name=\"" + name + "\r\n\r\n\r\n--b--");
    assertRefused(TYPE, "\r\n--b ".repeat(100_000));
  }

  /** The handler can't go on, so the key is released: the same request runs again. */
  private static void assertRefused(String type, String body) {
    AtomicInteger runs = new AtomicInteger();
    try (Shop shop =
        Shop.of(
            (request, response) -> {
              runs.incrementAndGet();
              request.getParts();
              response.setStatus(204);
            })) {
      String key = Shop.freshKey();
      assertThat(post(shop, key, type, body).statusCode()).as(body).isEqualTo(500);
      assertThat(post(shop, key, type, body).statusCode()).isEqualTo(500);
      assertThat(runs).hasValue(2);
    }
  }
}
