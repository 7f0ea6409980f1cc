package dev.semel.stream.internal;

import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamSeq;
import java.util.Optional;

/** Writes the parts that changes have in common; {@link FieldReader} reads them. */
final class FieldWriter {
  private final ByteSink out;

  FieldWriter(ByteSink out) {
    this.out = out;
  }

  void flag(boolean value) {
    out.put(value ? 1 : 0);
  }

  void created(StreamChange.Created c) {
    out.text(c.path().text());
    out.text(c.config().type().text());
    expiry(c.config().expiry());
    flag(c.config().fork().isPresent());
    c.config().fork().ifPresent(this::fork);
    out.number(c.base().position());
    out.number(c.source());
    body(c.body());
    flag(c.closed());
  }

  private void expiry(StreamExpiry expiry) {
    switch (expiry) {
      case StreamExpiry.Never n -> out.put(0);
      case StreamExpiry.Idle i -> {
        out.put(1);
        out.number(i.seconds());
      }
      case StreamExpiry.At a -> {
        out.put(2);
        out.number(a.epochMillis());
      }
    }
  }

  private void fork(StreamFork fork) {
    out.text(fork.source().text());
    flag(fork.offset().isPresent());
    fork.offset().ifPresent(o -> out.number(o.position()));
    out.number(fork.beyond());
  }

  /** The ends of the messages as their lengths, which are small. */
  void body(AppendBody body) {
    out.number(body.ends().length);
    int last = 0;
    for (int end : body.ends()) {
      out.number(end - last);
      last = end;
    }
    out.bytes(body.bytes());
  }

  void marks(Optional<BatchStamp> stamp, Optional<StreamSeq> seq) {
    out.put(stamp.isEmpty() ? 0 : stamp.get().managed() ? 2 : 1);
    if (stamp.isPresent()) {
      ProducerTuple tuple = stamp.get().tuple();
      out.text(tuple.id());
      out.number(tuple.epoch());
      out.number(tuple.seq());
    }
    flag(seq.isPresent());
    seq.ifPresent(s -> out.text(s.text()));
  }
}
