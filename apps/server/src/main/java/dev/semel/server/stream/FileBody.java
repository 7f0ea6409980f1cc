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
 * A body that lies in a file. Bytes are copied by the system; JSON needs brackets around it, and
 * HTTP/2 frames: they go in pieces, as fast as the client takes them, so that a slow one holds no
 * more than one in memory.
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

  /** Headers must be set but for the length. Closes the part in the end, whatever happens. */
  static void send(MemoryBudget budget, HttpServerRequest request, FilePart part, boolean json) {
    HttpServerResponse response = request.response();
    if (response.closed()) { // nobody would say so any more
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
        response.reset(); // the client must not take a part for the whole
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
