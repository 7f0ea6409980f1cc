package dev.semel.servlet;

import jakarta.servlet.AsyncContext;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletInputStream;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletRequestWrapper;
import jakarta.servlet.http.Part;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.UnsupportedEncodingException;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.Collections;
import java.util.Enumeration;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body was read, as if it had not been. For one request's threads in turn. */
final class RepeatableRequest extends HttpServletRequestWrapper {
  private final byte[] body;
  private final BodyInput input;
  private final ServletResponse response;
  private @Nullable String encoding;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> parameters;
  private volatile @Nullable Waiting waiting;
  private @Nullable ServletResponse buffered;

  RepeatableRequest(HttpServletRequest request, ServletResponse response, byte[] body) {
    super(request);
    this.response = response;
    this.body = body;
    this.input = new BodyInput(body);
    this.encoding = request.getCharacterEncoding();
  }

  /** From now on what goes asynchronous is waited for, and answers into this. */
  void answerInto(ServletResponse response) {
    buffered = response;
  }

  @Nullable Waiting waiting() {
    return waiting;
  }

  @Override
  public ServletInputStream getInputStream() {
    return input;
  }

  @Override
  public BufferedReader getReader() throws UnsupportedEncodingException {
    if (reader == null) {
      reader = new BufferedReader(new InputStreamReader(input, charset(textDefault())));
    }
    return reader;
  }

  @Override
  public @Nullable String getCharacterEncoding() {
    return encoding;
  }

  /** The container would not take it any more, because the body was read. */
  @Override
  public void setCharacterEncoding(String name) throws UnsupportedEncodingException {
    if (reader == null && parameters == null) {
      encoding = name;
      charset(StandardCharsets.UTF_8);
    }
  }

  private Charset charset(Charset otherwise) throws UnsupportedEncodingException {
    try {
      return encoding == null ? otherwise : Charset.forName(encoding);
    } catch (IllegalArgumentException e) {
      throw new UnsupportedEncodingException(encoding);
    }
  }

  private Charset textDefault() {
    String type = getContentType();
    boolean json = type != null && type.toLowerCase(Locale.ROOT).contains("json");
    return json ? StandardCharsets.UTF_8 : StandardCharsets.ISO_8859_1;
  }

  @Override
  public @Nullable String getParameter(String name) {
    String[] values = getParameterMap().get(name);
    return values == null || values.length == 0 ? null : values[0];
  }

  @Override
  public String @Nullable [] getParameterValues(String name) {
    String[] values = getParameterMap().get(name);
    return values == null ? null : values.clone();
  }

  @Override
  public Enumeration<String> getParameterNames() {
    return Collections.enumeration(getParameterMap().keySet());
  }

  /** Those of a forward come on top by the container's own wrapper. */
  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      Map<String, String[]> query = super.getParameterMap();
      try {
        parameters =
            RequestBody.isForm(this)
                ? FormFields.of(query, body, charset(FormFields.DEFAULT))
                : query;
      } catch (UnsupportedEncodingException e) {
        throw new IllegalStateException("the form has an unknown encoding", e);
      }
    }
    return parameters;
  }

  @Override
  public Collection<Part> getParts() throws ServletException {
    throw new ServletException(
        "the parts of a multipart body can't be had of a request with an idempotency key: read its input stream");
  }

  @Override
  public Part getPart(String name) throws ServletException {
    getParts();
    throw new AssertionError();
  }

  @Override
  public AsyncContext startAsync() {
    // The container's own would hand out the request whose body is gone.
    return startAsync(this, buffered == null ? response : buffered);
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    if (buffered == null) {
      return super.startAsync(request, response);
    }
    if (!isAsyncSupported()) {
      throw new IllegalStateException(
          "asynchronous requests are not supported here: set async-supported for the servlet and all filters before it");
    }
    Waiting now = waiting;
    if (now == null) {
      now = new Waiting(this);
      waiting = now;
    }
    now.start(request, response);
    return now;
  }

  @Override
  public boolean isAsyncStarted() {
    Waiting now = waiting;
    return buffered == null ? super.isAsyncStarted() : now != null && now.started();
  }

  @Override
  public AsyncContext getAsyncContext() {
    if (buffered == null) {
      return super.getAsyncContext();
    }
    Waiting now = waiting;
    if (now == null) {
      throw new IllegalStateException("the request is not asynchronous");
    }
    return now;
  }
}
