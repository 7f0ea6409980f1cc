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
 * An answer that is not sent yet. Status and headers go to the container's response at once,
 * because nothing of it is sent; the body is buffered until it is recorded.
 */
final class BufferedResponse extends HttpServletResponseWrapper {
  /** The header by which handlers ask proxies not to buffer. */
  private static final String BUFFERING = "X-Accel-Buffering";

  private static final String CONTENT_LENGTH = "Content-Length";
  private static final String CONTENT_LANGUAGE = "Content-Language";

  /** The {@code sendError} with which a handler ended, instead of an answer. */
  record Failed(int status, String message) {}

  private final BufferedOutput output;
  private @Nullable PrintWriter writer;
  private @Nullable Failed failed;
  private long announced = -1;
  private boolean unbuffered;
  private boolean ended;

  /**
   * @param beforeStream runs before the first byte of a stream is sent
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

  /** Reopens the response for the error page of that failure. */
  void reopenFor(Failed failure) {
    ended = false;
    writer = null;
    output.reopen();
    setStatus(failure.status());
  }

  /** The body, after the handler has finished. */
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
      // The container would add the charset to the content type when its own writer is opened.
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

  /** Ignored once the writer exists, whose encoding can't change. */
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
    if (!containsHeader(CONTENT_LANGUAGE)) { // some containers write it only at the commit
      super.setHeader(CONTENT_LANGUAGE, locale.toLanguageTag());
    }
  }

  /**
   * Flushes nothing to the client: frameworks flush after each write, and the answer must stay
   * buffered.
   */
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
   * Before an asynchronous dispatch, which continues the answer. It runs as a forward, and the
   * container would empty the buffer for that.
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

  /** Overrides a method of Servlet 6.1, which would bypass the buffer there. */
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

  /** Ignores trailers: the body is sent with its length, so none can follow it. */
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
