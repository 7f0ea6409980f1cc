package dev.semel.server.stream;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;

/**
 * Observes the changes of streams that callers caused: a stream was created, has new data, or is
 * gone. Called on the event loop, so it must be short and must not block.
 */
public interface StreamWatcher {
  /** Observes nothing. */
  StreamWatcher NONE =
      new StreamWatcher() {
        @Override
        public void created(StreamPath path, Offset tail) {}

        @Override
        public void appended(StreamPath path, Offset tail) {}

        @Override
        public void deleted(StreamPath path) {}
      };

  void created(StreamPath path, Offset tail);

  void appended(StreamPath path, Offset tail);

  void deleted(StreamPath path);
}
