package dev.semel.server.stream;

import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;

/**
 * Is told what callers were told: that a stream is there, has new data, or is gone. On the event
 * loop, so it must be short and must not block.
 */
public interface StreamWatcher {
  /** Nobody listens. */
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
