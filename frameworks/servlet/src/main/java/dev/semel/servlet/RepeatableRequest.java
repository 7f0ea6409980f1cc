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
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A request whose body can be read again after the filter read it. For one thread at a time. */
final class RepeatableRequest extends HttpServletRequestWrapper {
  private final byte[] body;
  private final BodyInput input;
  private final ServletResponse response;
  private @Nullable String encoding;
  private @Nullable BufferedReader reader;
  private @Nullable Map<String, String[]> parameters;
  private @Nullable List<BodyPart> parts;
  private volatile @Nullable AsyncWait waiting;
  private @Nullable BufferedResponse buffered;
  private boolean inTransaction;

  RepeatableRequest(HttpServletRequest request, ServletResponse response, byte[] body) {
    super(request);
    this.response = response;
    this.body = body;
    this.input = new BodyInput(body);
    this.encoding = request.getCharacterEncoding();
  }

  /**
   * From now on the filter waits for asynchronous processing, which writes into this response.
   *
   * @param inTransaction whether asynchronous processing is refused, see {@link AsyncInTransaction}
   */
  void answerInto(BufferedResponse response, boolean inTransaction) {
    buffered = response;
    this.inTransaction = inTransaction;
  }

  @Nullable AsyncWait waiting() {
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

  /** Stores the encoding here: the container ignores it once the body was read. */
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

  /** The container's wrapper adds the parameters of a forward. */
  @Override
  public Map<String, String[]> getParameterMap() {
    if (parameters == null) {
      try {
        if (RequestBody.isMultipart(this)) {
          // Parsed here: the container would look for parts in a consumed body.
          parameters = FormFields.of(getQueryString(), parts(), charset(FormFields.DEFAULT));
        } else if (RequestBody.isForm(this)) {
          parameters = FormFields.of(super.getParameterMap(), body, charset(FormFields.DEFAULT));
        } else {
          parameters = super.getParameterMap();
        }
      } catch (UnsupportedEncodingException e) {
        throw new IllegalStateException("the form has an unknown encoding", e);
      } catch (ServletException e) {
        throw new IllegalStateException("the form can't be read", e);
      }
    }
    return parameters;
  }

  @Override
  public Collection<Part> getParts() throws ServletException {
    return List.copyOf(parts());
  }

  @Override
  public @Nullable Part getPart(String name) throws ServletException {
    return parts().stream().filter(part -> part.getName().equals(name)).findFirst().orElse(null);
  }

  private List<BodyPart> parts() throws ServletException {
    List<BodyPart> read = parts;
    if (read == null) {
      String type = getContentType();
      if (type == null || !RequestBody.isMultipart(this)) {
        throw new ServletException("the request is no " + MultipartForm.TYPE);
      }
      read = MultipartForm.parse(body, type, getServletContext());
      parts = read;
    }
    return read;
  }

  @Override
  public AsyncContext startAsync() {
    // Passes this request: the container's own one has a consumed body.
    return startAsync(this, buffered == null ? response : buffered);
  }

  @Override
  public AsyncContext startAsync(ServletRequest request, ServletResponse response) {
    BufferedResponse into = buffered;
    if (into == null) {
      return super.startAsync(request, response);
    }
    if (inTransaction) {
      throw new AsyncInTransaction("this handler");
    }
    if (!isAsyncSupported()) {
      throw new IllegalStateException(
          "asynchronous requests are not supported here: set async-supported for the servlet and all filters before it");
    }
    AsyncWait now = waiting;
    if (now == null) {
      now = new AsyncWait(this, into);
      waiting = now;
    }
    now.start(request, response);
    return now;
  }

  @Override
  public boolean isAsyncStarted() {
    AsyncWait now = waiting;
    return buffered == null ? super.isAsyncStarted() : now != null && now.started();
  }

  @Override
  public AsyncContext getAsyncContext() {
    if (buffered == null) {
      return super.getAsyncContext();
    }
    AsyncWait now = waiting;
    if (now == null) {
      throw new IllegalStateException("the request is not asynchronous");
    }
    return now;
  }
}
