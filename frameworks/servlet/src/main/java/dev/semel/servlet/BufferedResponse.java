package dev.semel.servlet;

import dev.semel.http.HttpRules;
import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.IOException;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An answer in the making. Status and headers stand in the container's response from the start,
 * because nothing of it is sent; the body is kept beside it until it is recorded.
 */
final class BufferedResponse extends HttpServletResponseWrapper {
  /** The header by which handlers ask proxies not to buffer. */
  private static final String BUFFERING = "X-Accel-Buffering";

  private static final String CONTENT_LENGTH = "Content-Length";
  private static final String CONTENT_LANGUAGE = "Content-Language";

  /** What a handler gave up with, instead of an answer of its own. */
  record Failed(int status, String message) {}

  private final BufferedOutput output;
  private @Nullable PrintWriter writer;
  private @Nullable Failed failed;
  private long announced = -1;
  private boolean unbuffered;
  private boolean ended;

  /**
   * @param beforeStream what is left to do before the first byte of a stream is sent
   */
  BufferedResponse(HttpServletResponse response, int maxBytes, Runnable beforeStream) {
    super(OpaqueResponse.ifNeeded(response));
    this.output =
        new BufferedOutput(
            maxBytes,
            () -> {
              beforeStream.run();
              if (announced >= 0) {
                super.setContentLengthLong(announced);
              }
              return super.getOutputStream();
            });
  }

  BufferedOutput output() {
    return output;
  }

  Optional<Failed> failed() {
    return Optional.ofNullable(failed);
  }

  /** For whoever writes the page of that failure. */
  void reopenFor(Failed failure) {
    ended = false;
    writer = null;
    output.reopen();
    setStatus(failure.status());
  }

  /** The body, once the handler is done. */
  byte[] body() {
    flushWriter();
    return output.kept();
  }

  private boolean streams() {
    if (unbuffered) {
      return true;
    }
    String type = getContentType();
    return type != null && HttpRules.streamed(type);
  }

  private void streamIfAsked() throws IOException {
    if (!output.streaming() && !ended && streams()) {
      output.stream();
    }
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (writer != null) {
      throw new IllegalStateException("the writer is in use already");
    }
    streamIfAsked();
    return output;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      String encoding = getCharacterEncoding();
      // The container would say so in the content type once its own writer is asked for.
      super.setCharacterEncoding(encoding);
      Charset charset;
      try {
        charset = Charset.forName(encoding);
      } catch (IllegalArgumentException e) {
        throw new UnsupportedEncodingException(encoding);
      }
      streamIfAsked();
      writer = new PrintWriter(new OutputStreamWriter(output, charset));
    }
    return writer;
  }

  /** The writer's encoding stays what it was. */
  @Override
  public void setCharacterEncoding(String charset) {
    if (writer == null) {
      super.setCharacterEncoding(charset);
    }
  }

  @Override
  public void setContentType(@Nullable String type) {
    if (writer == null || type == null) {
      super.setContentType(type);
      return;
    }
    int end = type.indexOf(';');
    super.setContentType(
        (end < 0 ? type : type.substring(0, end)) + ";charset=" + getCharacterEncoding());
  }

  @Override
  public void setLocale(Locale locale) {
    super.setLocale(locale);
    if (!containsHeader(CONTENT_LANGUAGE)) { // some containers write it only when they commit
      super.setHeader(CONTENT_LANGUAGE, locale.toLanguageTag());
    }
  }

  /** Frameworks flush after each write; what is buffered stays so. */
  @Override
  public void flushBuffer() throws IOException {
    streamIfAsked();
    flushWriter();
    output.flush();
  }

  @Override
  public boolean isCommitted() {
    return ended || output.streaming() || super.isCommitted();
  }

  @Override
  public void resetBuffer() {
    requireOpen();
    flushWriter();
    output.clearRest();
  }

  /**
   * An asynchronous dispatch goes on with the answer as it is; the forward that it is made of would
   * have the container empty the buffer.
   */
  void beforeDispatch() {
    flushWriter();
    output.makeLasting();
  }

  @Override
  public void reset() {
    requireOpen();
    super.reset();
    forgetBody();
    writer = null;
    announced = -1;
    unbuffered = false;
  }

  private void forgetBody() {
    flushWriter();
    output.clear();
  }

  private void flushWriter() {
    if (writer != null) {
      writer.flush();
    }
  }

  private void requireOpen() {
    if (isCommitted()) {
      throw new IllegalStateException("the answer is on its way already");
    }
  }

  @Override
  public void sendError(int status) {
    sendError(status, "");
  }

  @Override
  public void sendError(int status, @Nullable String message) {
    requireOpen();
    forgetBody();
    setStatus(status);
    failed = new Failed(status, message == null ? "" : message);
    ended = true;
    output.end();
  }

  @Override
  public void sendRedirect(String location) {
    sendRedirect(location, SC_FOUND, true);
  }

  /** Of Servlet 6.1; there it must not reach the container past the buffer. */
  @SuppressWarnings("MissingOverride")
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    requireOpen();
    if (clearBuffer) {
      forgetBody();
    }
    setStatus(status);
    setHeader("Location", location);
    body();
    ended = true;
    output.end();
  }

  @Override
  public void setContentLength(int length) {
    announced = length;
  }

  @Override
  public void setContentLengthLong(long length) {
    announced = length;
  }

  /** The length is that of the body as it is sent, and trailers have no place behind it. */
  @Override
  public void setTrailerFields(Supplier<Map<String, String>> supplier) {}

  @Override
  public void setHeader(String name, @Nullable String value) {
    if (!own(name, value)) {
      super.setHeader(name, value);
    }
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    if (!own(name, value)) {
      super.addHeader(name, value);
    }
  }

  @Override
  public void setIntHeader(String name, int value) {
    if (!own(name, Integer.toString(value))) {
      super.setIntHeader(name, value);
    }
  }

  @Override
  public void addIntHeader(String name, int value) {
    if (!own(name, Integer.toString(value))) {
      super.addIntHeader(name, value);
    }
  }

  private boolean own(String name, @Nullable String value) {
    if (name.equalsIgnoreCase(CONTENT_LENGTH)) {
      announced = value == null ? -1 : Long.parseLong(value.strip());
      return true;
    }
    if (name.equalsIgnoreCase("Content-Type")) {
      setContentType(value);
      return true;
    }
    if (name.equalsIgnoreCase(BUFFERING)) {
      unbuffered = "no".equalsIgnoreCase(value);
    }
    return false;
  }
}
