package dev.semel.http.internal;

import dev.semel.http.HttpHeader;
import dev.semel.http.spi.HttpResponse;
import dev.semel.idempotency.Codec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/** The stored form of responses: status, headers, and the unchanged body. */
public final class HttpResponses implements Codec<HttpResponse> {
  private static final int MAX_HEADERS = 1000;

  public static final HttpResponses CODEC = new HttpResponses();

  private HttpResponses() {}

  @Override
  public String type() {
    return "semel/http-response;v=1";
  }

  @Override
  public byte[] encode(HttpResponse response) {
    if (!response.whole()) {
      throw new IllegalArgumentException("it was streamed, or over the limit of what is kept");
    }
    if (response.headers().size() > MAX_HEADERS) {
      throw new IllegalArgumentException("it has more than " + MAX_HEADERS + " headers");
    }
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(response.body().length + 256);
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeShort(response.status());
      out.writeShort(response.headers().size());
      for (HttpHeader header : response.headers()) {
        text(out, header.name());
        text(out, header.value());
      }
      out.writeInt(response.body().length);
      out.write(response.body());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return bytes.toByteArray();
  }

  @Override
  public HttpResponse decode(byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int status = in.readUnsignedShort();
      int count = in.readUnsignedShort();
      List<HttpHeader> headers = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        headers.add(new HttpHeader(text(in), text(in)));
      }
      byte[] body = bytes(in);
      if (in.available() > 0) {
        throw new IOException("%d bytes too many".formatted(in.available()));
      }
      return new HttpResponse(status, headers, body);
    } catch (IOException e) {
      throw new IllegalStateException("the stored response is damaged", e);
    }
  }

  private static void text(DataOutputStream out, String text) throws IOException {
    byte[] utf8 = text.getBytes(StandardCharsets.UTF_8);
    out.writeInt(utf8.length);
    out.write(utf8);
  }

  private static String text(DataInputStream in) throws IOException {
    return new String(bytes(in), StandardCharsets.UTF_8);
  }

  private static byte[] bytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new IOException("%d bytes are to follow, and %d do".formatted(length, in.available()));
    }
    return in.readNBytes(length);
  }
}
