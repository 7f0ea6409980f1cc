package dev.semel.http.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.http.HttpHeader;
import dev.semel.http.spi.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class HttpResponsesTest {
  private static final HttpResponse RESPONSE =
      new HttpResponse(
          201,
          List.of(
              new HttpHeader("Location", "/charges/1"),
              new HttpHeader("Link", "<a>"),
              new HttpHeader("Link", "<b>"),
              new HttpHeader("X-Name", "Zoë")),
          "{\"id\":1}".getBytes(StandardCharsets.UTF_8));

  private static void assertSame(HttpResponse read, HttpResponse written) {
    assertThat(read.status()).isEqualTo(written.status());
    assertThat(read.headers()).isEqualTo(written.headers());
    assertThat(read.body()).isEqualTo(written.body());
    assertThat(read.whole()).isTrue();
  }

  @Test
  void whatIsKeptIsReadAsItWas() {
    assertSame(HttpResponses.CODEC.decode(HttpResponses.CODEC.encode(RESPONSE)), RESPONSE);
    HttpResponse empty = new HttpResponse(204, List.of(), new byte[0]);
    assertSame(HttpResponses.CODEC.decode(HttpResponses.CODEC.encode(empty)), empty);
  }

  @Test
  void anyBytesAreReadAsTheyWere() {
    for (long seed = 1; seed <= 200; seed++) {
      SplittableRandom random = new SplittableRandom(seed);
      byte[] body = new byte[random.nextInt(2000)];
      random.nextBytes(body);
      HttpResponse response =
          new HttpResponse(
              random.nextInt(100, 600),
              Collections.nCopies(random.nextInt(4), new HttpHeader("A", "b: c\u00ff")),
              body);
      assertSame(HttpResponses.CODEC.decode(HttpResponses.CODEC.encode(response)), response);
    }
  }

  @Test
  void aRecordThatWasCutOrLengthenedIsDamaged() {
    byte[] bytes = HttpResponses.CODEC.encode(RESPONSE);
    for (int length = 0; length < bytes.length; length++) {
      byte[] cut = Arrays.copyOf(bytes, length);
      assertThatThrownBy(() -> HttpResponses.CODEC.decode(cut))
          .as("%d bytes", length)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("damaged");
    }
    assertThatThrownBy(() -> HttpResponses.CODEC.decode(Arrays.copyOf(bytes, bytes.length + 1)))
        .isInstanceOf(IllegalStateException.class);
  }

  /** A wrong length must not make the reader ask for more memory than there are bytes. */
  @Test
  void anyBytesAreReadOrCalledDamaged() {
    byte[] bytes = HttpResponses.CODEC.encode(RESPONSE);
    for (int i = 0; i < bytes.length; i++) {
      for (int flip : new int[] {0x01, 0x7f, 0x80, 0xff}) {
        byte[] changed = bytes.clone();
        changed[i] ^= (byte) flip;
        try {
          assertThat(HttpResponses.CODEC.decode(changed)).isNotNull();
        } catch (IllegalStateException e) {
          assertThat(e).hasMessageContaining("damaged");
        }
      }
    }
  }

  @Test
  void aStreamedAnswerIsNotWritten() {
    assertThatThrownBy(() -> HttpResponses.CODEC.encode(HttpResponse.notKept(200)))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void noBodyIsShownInLogs() {
    assertThat(RESPONSE).hasToString("HttpResponse[201, 8 bytes]");
  }
}
