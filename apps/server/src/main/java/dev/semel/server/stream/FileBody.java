package dev.semel.server.stream;

import dev.semel.server.http.ConnectionEnding;
import dev.semel.server.http.HeaderNames;
import dev.semel.server.http.MemoryBudget;
import dev.semel.server.http.PacedResponse;
import dev.semel.stream.spi.FilePart;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import java.io.IOException;

/**
 * Sends a body from a file. The system copies plain bytes. JSON needs brackets and HTTP/2 needs
 * frames, so those go in pieces, as fast as the client takes them: a slow client holds one piece in
 * memory.
 */
final class FileBody {
  private final MemoryBudget budget;
  private final HttpServerResponse response;
  private final PacedResponse paced;
  private final FilePart part;
  private final boolean json;
  private long sent;
  private boolean over;

  private FileBody(MemoryBudget budget, HttpServerRequest request, FilePart part, boolean json) {
    this.budget = budget;
    this.response = request.response();
    this.paced = new PacedResponse(budget, request);
    this.part = part;
    this.json = json;
  }

  /** All headers must be set, except the length. Closes the part in every case. */
  static void send(MemoryBudget budget, HttpServerRequest request, FilePart part, boolean json) {
    HttpServerResponse response = request.response();
    if (response.closed()) { // no event would follow
      part.close();
      return;
    }
    FileBody body = new FileBody(budget, request, part, json);
    try {
      if (json || ConnectionEnding.http2(request)) {
        body.sendPieces();
      } else {
        response
            .sendFile(part.channel(), part.position(), part.length())
            .onComplete(done -> part.close());
      }
    } catch (RuntimeException e) {
      body.end();
      throw e;
    }
  }

  private void sendPieces() {
    response.putHeader(HeaderNames.CONTENT_LENGTH, Long.toString(part.length() + (json ? 1 : 0)));
    response.closeHandler(v -> end());
    if (!json || paced.write(Buffer.buffer(1).appendByte((byte) '['), this::goOn)) {
      goOn();
    }
  }

  private void goOn() {
    while (!over) {
      Buffer piece;
      try {
        piece = next();
      } catch (IOException e) {
        end();
        response.reset(); // a partial answer must not look complete
        return;
      }
      if (sent == part.length()) {
        end();
        paced.end(piece);
      } else if (!paced.write(piece, this::goOn)) {
        return;
      }
    }
  }

  private Buffer next() throws IOException {
    int size = (int) Math.min(budget.pieceBytes(), part.length() - sent);
    byte[] bytes = part.read(sent, size).array();
    sent += bytes.length;
    if (json && sent == part.length()) {
      bytes[bytes.length - 1] = ']'; // in the place of the last comma
    }
    return Buffer.buffer(bytes);
  }

  private void end() {
    if (!over) {
      over = true;
      part.close();
    }
  }
}
