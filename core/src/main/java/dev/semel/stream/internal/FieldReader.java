package dev.semel.stream.internal;

import dev.semel.stream.ContentType;
import dev.semel.stream.Offset;
import dev.semel.stream.StreamPath;
import dev.semel.stream.spi.AppendBody;
import dev.semel.stream.spi.ProducerTuple;
import dev.semel.stream.spi.StreamConfig;
import dev.semel.stream.spi.StreamExpiry;
import dev.semel.stream.spi.StreamFork;
import dev.semel.stream.spi.StreamSeq;
import java.util.Optional;

/** Reads what {@link FieldWriter} wrote, in the same order. */
final class FieldReader {
  private final ByteSource in;

  FieldReader(ByteSource in) {
    this.in = in;
  }

  boolean flag() {
    return switch (in.get()) {
      case 0 -> false;
      case 1 -> true;
      default -> throw ByteSource.broken();
    };
  }

  StreamChange.Created created(long stream, long at) {
    StreamPath path = in.path();
    ContentType type = ContentType.parse(in.text());
    StreamExpiry expiry = expiry();
    Optional<StreamFork> fork = flag() ? Optional.of(fork()) : Optional.empty();
    Offset base = new Offset(in.number());
    long source = in.number();
    AppendBody body = body();
    return new StreamChange.Created(
        stream, at, path, new StreamConfig(type, expiry, fork), base, source, body, flag());
  }

  private StreamExpiry expiry() {
    return switch (in.get()) {
      case 0 -> StreamExpiry.never();
      case 1 -> new StreamExpiry.Idle(in.number());
      case 2 -> new StreamExpiry.At(in.number());
      default -> throw ByteSource.broken();
    };
  }

  private StreamFork fork() {
    StreamPath source = in.path();
    Optional<Offset> offset = flag() ? Optional.of(new Offset(in.number())) : Optional.empty();
    return new StreamFork(source, offset, in.number());
  }

  AppendBody body() {
    int[] ends = new int[in.count()];
    long last = 0;
    for (int i = 0; i < ends.length; i++) {
      last += in.number();
      if (last < 0 || last > Integer.MAX_VALUE) {
        throw ByteSource.broken();
      }
      ends[i] = (int) last;
    }
    byte[] bytes = in.bytes();
    if (ends.length > 0 && last != bytes.length) {
      throw ByteSource.broken();
    }
    return AppendBody.stored(bytes, ends);
  }

  Optional<BatchStamp> stamp() {
    int kind = in.get();
    if (kind == 0) {
      return Optional.empty();
    }
    if (kind < 0 || kind > 2) {
      throw ByteSource.broken();
    }
    ProducerTuple tuple = new ProducerTuple(in.text(), in.number(), in.number());
    return Optional.of(new BatchStamp(tuple, kind == 2));
  }

  Optional<StreamSeq> seq() {
    return flag() ? Optional.of(new StreamSeq(in.text())) : Optional.empty();
  }
}
