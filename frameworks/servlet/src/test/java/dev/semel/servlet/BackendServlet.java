package dev.semel.servlet;

import dev.semel.http.HttpHeader;
import dev.semel.tck.http.HttpBackend;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalLong;

/** The contract's service as a servlet. */
final class BackendServlet extends HttpServlet {
  private static final long serialVersionUID = 1L;

  private final transient HttpBackend backend = new HttpBackend();

  @Override
  protected void service(HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    backend.handle(
        new HttpBackend.Call(
            request.getMethod(),
            request.getRequestURI(),
            Objects.requireNonNullElse(request.getQueryString(), ""),
            name -> Optional.ofNullable(request.getHeader(name)),
            request.getInputStream().readAllBytes()),
        new HttpBackend.Reply() {
          @Override
          public void head(int status, List<HttpHeader> headers, OptionalLong length) {
            response.setStatus(status);
            headers.forEach(header -> response.addHeader(header.name(), header.value()));
            length.ifPresent(response::setContentLengthLong);
          }

          @Override
          public void piece(byte[] bytes) throws IOException {
            response.getOutputStream().write(bytes);
            response.getOutputStream().flush();
          }
        });
  }
}
