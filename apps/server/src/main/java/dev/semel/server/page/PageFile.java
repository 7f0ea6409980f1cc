package dev.semel.server.page;

import dev.semel.internal.Ids;
import dev.semel.server.http.HeaderNames;
import io.vertx.core.buffer.Buffer;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/**
 * One file of the page, read once.
 *
 * @param tag entity tag in quotes, as a header has it; changes with the bytes
 */
record PageFile(CharSequence type, CharSequence tag, Buffer bytes) {
  static PageFile read(String name) {
    try (InputStream in = PageFile.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("the page's file %s is not there".formatted(name));
      }
      byte[] bytes = in.readAllBytes();
      return new PageFile(
          HeaderNames.name(type(name)),
          HeaderNames.name('"' + Ids.sha256Hex(bytes).substring(0, 32) + '"'),
          Buffer.buffer(bytes));
    } catch (IOException e) {
      throw new UncheckedIOException("the page's file %s can't be read".formatted(name), e);
    }
  }

  private static String type(String name) {
    return switch (name.substring(name.lastIndexOf('.') + 1)) {
      case "html" -> "text/html; charset=utf-8";
      case "js" -> "text/javascript; charset=utf-8";
      case "css" -> "text/css; charset=utf-8";
      case "svg" -> "image/svg+xml";
      case "txt" -> "text/plain; charset=utf-8";
      default -> throw new IllegalStateException("what kind of file is %s?".formatted(name));
    };
  }
}
