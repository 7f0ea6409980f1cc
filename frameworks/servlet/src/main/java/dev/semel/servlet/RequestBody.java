package dev.semel.servlet;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.SocketTimeoutException;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeoutException;

/** Reads the body that a request is compared by. */
final class RequestBody {
  static final String FORM = "application/x-www-form-urlencoded";

  /**
   * The largest body of a refused request that is read and dropped, so that its connection can be
   * reused.
   */
  private static final int DROPPED_BYTES = 64 << 10;

  private RequestBody() {}

  /**
   * Reads the whole body; empty: it is longer than the limit.
   *
   * @throws IllegalStateException when another filter has read the body: requests can't be compared
   *     then
   */
  static Optional<byte[]> read(HttpServletRequest request, int maxBytes) throws IOException {
    long announced = request.getContentLengthLong();
    if (announced > maxBytes) {
      return Optional.empty();
    }
    byte[] body =
        maxBytes == Integer.MAX_VALUE
            ? request.getInputStream().readAllBytes()
            : request.getInputStream().readNBytes(maxBytes + 1);
    if (body.length > maxBytes) {
      return Optional.empty();
    }
    if (body.length < announced || (body.length == 0 && formWasRead(request))) {
      throw new IllegalStateException(
          "the body was read before the idempotency filter could compare it: put the filter before the one that reads it");
    }
    return Optional.of(body);
  }

  /**
   * Reads the rest of a refused request's body. A container that finds unread bytes after the
   * answer closes the connection, and the client's next request would get no answer.
   */
  static void drop(HttpServletRequest request, HttpServletResponse response) {
    long announced = request.getContentLengthLong();
    boolean waits = request.getHeader("Expect") != null;
    boolean chunked = request.getHeader("Transfer-Encoding") != null;
    try {
      if (announced <= DROPPED_BYTES && !waits && !chunked) {
        request.getInputStream().skipNBytes(Math.max(0, announced));
        return;
      }
    } catch (IOException | IllegalStateException e) {
      // The body ended early or another filter reads it, so the next request's start is unknown.
    }
    response.setHeader("Connection", "close");
  }

  /**
   * Refuses a body that ended early or is malformed; some containers report that as their own
   * error.
   */
  static void refuse(IOException failure, HttpServletResponse response) throws IOException {
    if (response.isCommitted()) {
      throw failure; // the container has already chosen an answer
    }
    boolean slow = false;
    for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
      slow |= cause instanceof TimeoutException || cause instanceof SocketTimeoutException;
    }
    response.setHeader("Connection", "close"); // the next request's start is unknown
    response.sendError(
        slow ? HttpServletResponse.SC_REQUEST_TIMEOUT : HttpServletResponse.SC_BAD_REQUEST,
        "the body did not arrive whole");
  }

  /** Whether the form was read. An empty form adds no fields to the query's. */
  private static boolean formWasRead(HttpServletRequest request) {
    return isForm(request)
        && request.getQueryString() == null
        && !request.getParameterMap().isEmpty();
  }

  static boolean isForm(HttpServletRequest request) {
    return request.getMethod().equals("POST") && is(FORM, request);
  }

  static boolean isMultipart(HttpServletRequest request) {
    return is(MultipartForm.TYPE, request);
  }

  private static boolean is(String wanted, HttpServletRequest request) {
    String type = request.getContentType();
    if (type == null) {
      return false;
    }
    int end = type.indexOf(';');
    return (end < 0 ? type : type.substring(0, end))
        .strip()
        .toLowerCase(Locale.ROOT)
        .equals(wanted);
  }
}
