package dev.semel.servlet;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.ServletResponseWrapper;
import jakarta.servlet.http.Cookie;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Collection;
import java.util.Locale;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Hides Tomcat's response without being a wrapper: after a forward Tomcat 11 unwraps all wrappers
 * and closes its own response, before the buffered answer is sent. Other containers get their own
 * response, because some unwrap it too, and fail without it.
 */
final class OpaqueResponse implements HttpServletResponse {
  private final HttpServletResponse response;

  private OpaqueResponse(HttpServletResponse response) {
    this.response = response;
  }

  static HttpServletResponse ifNeeded(HttpServletResponse response) {
    ServletResponse innermost = response;
    while (innermost instanceof ServletResponseWrapper wrapper) {
      innermost = wrapper.getResponse();
    }
    boolean tomcat = innermost.getClass().getName().startsWith("org.apache.catalina.");
    return tomcat ? new OpaqueResponse(response) : response;
  }

  @Override
  public void addCookie(Cookie cookie) {
    response.addCookie(cookie);
  }

  @Override
  public boolean containsHeader(String name) {
    return response.containsHeader(name);
  }

  @Override
  public String encodeURL(String url) {
    return response.encodeURL(url);
  }

  @Override
  public String encodeRedirectURL(String url) {
    return response.encodeRedirectURL(url);
  }

  @Override
  public void sendError(int status, String message) throws IOException {
    response.sendError(status, message);
  }

  @Override
  public void sendError(int status) throws IOException {
    response.sendError(status);
  }

  @Override
  public void sendRedirect(String location) throws IOException {
    response.sendRedirect(location);
  }

  /** Overrides a method of Servlet 6.1; never reached, because the buffer handles redirects. */
  @SuppressWarnings({"MissingOverride", "DoNotCallSuggester"})
  public void sendRedirect(String location, int status, boolean clearBuffer) {
    throw new UnsupportedOperationException("redirects are buffered");
  }

  @Override
  public void setDateHeader(String name, long date) {
    response.setDateHeader(name, date);
  }

  @Override
  public void addDateHeader(String name, long date) {
    response.addDateHeader(name, date);
  }

  @Override
  public void setHeader(String name, @Nullable String value) {
    response.setHeader(name, value);
  }

  @Override
  public void addHeader(String name, @Nullable String value) {
    response.addHeader(name, value);
  }

  @Override
  public void setIntHeader(String name, int value) {
    response.setIntHeader(name, value);
  }

  @Override
  public void addIntHeader(String name, int value) {
    response.addIntHeader(name, value);
  }

  @Override
  public void setStatus(int status) {
    response.setStatus(status);
  }

  @Override
  public int getStatus() {
    return response.getStatus();
  }

  @Override
  public @Nullable String getHeader(String name) {
    return response.getHeader(name);
  }

  @Override
  public Collection<String> getHeaders(String name) {
    return response.getHeaders(name);
  }

  @Override
  public Collection<String> getHeaderNames() {
    return response.getHeaderNames();
  }

  @Override
  public void setTrailerFields(Supplier<Map<String, String>> supplier) {
    response.setTrailerFields(supplier);
  }

  @Override
  public @Nullable Supplier<Map<String, String>> getTrailerFields() {
    return response.getTrailerFields();
  }

  @Override
  public String getCharacterEncoding() {
    return response.getCharacterEncoding();
  }

  @Override
  public @Nullable String getContentType() {
    return response.getContentType();
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    return response.getOutputStream();
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    return response.getWriter();
  }

  @Override
  public void setCharacterEncoding(@Nullable String charset) {
    response.setCharacterEncoding(charset);
  }

  @Override
  public void setContentLength(int length) {
    response.setContentLength(length);
  }

  @Override
  public void setContentLengthLong(long length) {
    response.setContentLengthLong(length);
  }

  @Override
  public void setContentType(@Nullable String type) {
    response.setContentType(type);
  }

  @Override
  public void setBufferSize(int size) {
    response.setBufferSize(size);
  }

  @Override
  public int getBufferSize() {
    return response.getBufferSize();
  }

  @Override
  public void flushBuffer() throws IOException {
    response.flushBuffer();
  }

  @Override
  public void resetBuffer() {
    response.resetBuffer();
  }

  @Override
  public boolean isCommitted() {
    return response.isCommitted();
  }

  @Override
  public void reset() {
    response.reset();
  }

  @Override
  public void setLocale(Locale locale) {
    response.setLocale(locale);
  }

  @Override
  public Locale getLocale() {
    return response.getLocale();
  }
}
