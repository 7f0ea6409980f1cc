package dev.semel.server.stream;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import io.vertx.core.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Writes events. After each data event, a control event says where the data ends. */
final class SseEvents {
  private static final byte[] DATA = ascii("event: data\n");
  private static final byte[] LINE = ascii("data:");
  private static final String CONTROL = "event: control\ndata:{\"streamNextOffset\":\"";

  private SseEvents() {}

  /** Whether data of this type is sent as text; other data is sent in base64. */
  static boolean text(ContentType type) {
    return type.json() || type.media().startsWith("text/");
  }

  /**
   * @param body as readers without events get it
   */
  static void data(Buffer out, ContentType type, byte[] body, int length) {
    out.appendBytes(DATA);
    if (text(type)) {
      lines(out, body, length);
    } else {
      byte[] raw = length == body.length ? body : java.util.Arrays.copyOf(body, length);
      out.appendBytes(LINE).appendBytes(Base64.getEncoder().encode(raw)).appendByte((byte) '\n');
    }
    out.appendByte((byte) '\n');
  }

  /** Every line break begins a new line of data, so that no text can forge an event. */
  private static void lines(Buffer out, byte[] body, int length) {
    int start = 0;
    for (int i = 0; i < length; i++) {
      if (body[i] == '\n' || body[i] == '\r') {
        line(out, body, start, i);
        if (body[i] == '\r' && i + 1 < length && body[i + 1] == '\n') {
          i++;
        }
        start = i + 1;
      }
    }
    line(out, body, start, length);
  }

  private static void line(Buffer out, byte[] body, int start, int end) {
    out.appendBytes(LINE);
    if (start < end && body[start] == ' ') {
      out.appendByte((byte) ' '); // readers drop one blank, which would be the text's own
    }
    out.appendBytes(body, start, end - start).appendByte((byte) '\n');
  }

  /** A closed stream has no cursor, because no reader comes back for more. */
  static void control(Buffer out, Offset next, long cursor, boolean upToDate, boolean closed) {
    StringBuilder text = new StringBuilder(160).append(CONTROL).append(next.text()).append('"');
    if (!closed) {
      text.append(",\"streamCursor\":\"").append(cursor).append('"');
    }
    if (upToDate) {
      text.append(",\"upToDate\":true");
    }
    if (closed) {
      text.append(",\"streamClosed\":true");
    }
    out.appendString(text.append("}\n\n").toString());
  }

  /** Length of the text without an incomplete last character. */
  static int wholeCharacters(byte[] body) {
    int length = body.length;
    for (int back = 1; back <= 3 && back <= length; back++) {
      int b = body[length - back] & 0xff;
      if (b >= 0xc0) {
        int needed = b >= 0xf0 ? 4 : b >= 0xe0 ? 3 : 2;
        return needed > back && back < length ? length - back : length;
      }
      if (b < 0x80) {
        return length;
      }
    }
    return length;
  }

  private static byte[] ascii(String text) {
    return text.getBytes(StandardCharsets.US_ASCII);
  }
}
