package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/**
 * Finds out what a crash left: which segments follow each other, where the last one ends, and
 * whether missing records were ever committed. Then repairs the end, and only then replays it.
 */
final class JournalRecovery {
  private static final int COPY = 64 << 10;

  private final JournalDisk disk;
  private final Journal.Settings settings;
  private final JournalSnapshots.Newest start;
  private final JournalReplay replay;

  JournalRecovery(
      JournalDisk disk,
      Journal.Settings settings,
      JournalSnapshots.Newest start,
      JournalReplay replay) {
    this.disk = disk;
    this.settings = settings;
    this.start = start;
    this.replay = replay;
  }

  /** Where the journal continues. */
  record Tail(
      JournalSegments segments, RecordFormat format, String name, long position, long next) {}

  /** A segment's file; without a header it was never used, or its header can't be read. */
  private record Found(String name, long size, Optional<SegmentHeader> header) {
    long first() {
      return header.orElseThrow().first();
    }
  }

  /**
   * @param fresh the format of a new journal
   */
  Tail run(RecordFormat fresh) throws IOException {
    List<Found> all = find();
    JournalSegments segments =
        new JournalSegments(disk, settings, all.stream().map(Found::name).toList());
    List<Found> headed =
        all.stream()
            .filter(found -> found.header().isPresent())
            .sorted(Comparator.comparingLong(Found::first))
            .toList();
    if (headed.isEmpty()) {
      return begin(fresh, all, segments);
    }
    RecordFormat format = fresh.withId(headed.getLast().header().orElseThrow().id());
    List<Found> chain = chain(headed);
    for (int i = 0; i < chain.size() - 1; i++) {
      replayWhole(chain.get(i), chain.get(i + 1).first(), format);
    }
    Tail tail = replayLast(chain.getLast(), all, format, segments);
    chain.forEach(found -> segments.use(found.name(), found.first()));
    releaseOthers(all, chain, segments);
    return tail;
  }

  private List<Found> find() throws IOException {
    List<Found> found = new ArrayList<>();
    for (String name : disk.list()) {
      if (JournalSegments.isSegment(name)) {
        try (JournalDisk.File file = disk.open(name)) {
          found.add(new Found(name, file.size(), SegmentHeader.read(file)));
        }
      }
    }
    return found;
  }

  /** The first header is forced before the first record, so there must be no record. */
  private Tail begin(RecordFormat fresh, List<Found> all, JournalSegments segments)
      throws IOException {
    if (start.from() > Journal.FIRST || !start.damaged().isEmpty()) {
      throw missing("no segment can be read");
    }
    for (Found found : all) {
      try (JournalDisk.File file = disk.open(found.name())) {
        if (!new SegmentReader(file, fresh).isBlank()) {
          throw damaged(found.name(), 0, "the header can't be read, and there is something behind");
        }
      }
    }
    releaseOthers(all, List.of(), segments);
    String name = segments.take();
    segments.begin(name, fresh.id(), Journal.FIRST).close();
    return new Tail(segments, fresh, name, SegmentHeader.BYTES, Journal.FIRST);
  }

  /** The chain from the segment with the first record to replay. */
  private List<Found> chain(List<Found> headed) {
    List<Found> before = headed.stream().filter(found -> found.first() <= start.from()).toList();
    if (before.isEmpty()) {
      throw missing("the segments begin with " + headed.getFirst().first());
    }
    List<Found> chain = headed.subList(before.size() - 1, headed.size());
    long id = headed.getLast().header().orElseThrow().id();
    for (Found found : chain) {
      SegmentHeader header = found.header().orElseThrow();
      if (header.id() != id) {
        throw damaged(found.name(), 0, "the segment belongs to another journal");
      }
      if (header.bytes() != found.size()) {
        throw damaged(
            found.name(),
            found.size(),
            "the segment should have %d bytes".formatted(header.bytes()));
      }
    }
    return chain;
  }

  /** Another segment follows this one, so all of it was forced. */
  private void replayWhole(Found found, long next, RecordFormat format) throws IOException {
    try (JournalDisk.File file = disk.open(found.name())) {
      SegmentReader reader = new SegmentReader(file, format);
      long end = replayAll(reader, found.first(), next);
      if (end != next) {
        throw unreadable(found, reader.position(), end, next - 1);
      }
    }
  }

  private long replayAll(SegmentReader reader, long first, long end) throws IOException {
    long lsn = first;
    while (lsn < end && reader.next(lsn)) {
      if (lsn >= start.from()) {
        replay.record(lsn, reader.payload());
      }
      lsn++;
    }
    return lsn;
  }

  private Tail replayLast(
      Found last, List<Found> all, RecordFormat format, JournalSegments segments)
      throws IOException {
    try (JournalDisk.File file = disk.open(last.name())) {
      SegmentReader reader = new SegmentReader(file, format);
      long lsn = last.first();
      long forced = lsn - 1;
      long lastBatch = SegmentHeader.BYTES;
      for (long at = reader.position(); reader.next(lsn); at = reader.position()) {
        if (reader.forced() != forced) {
          forced = reader.forced();
          lastBatch = at;
        }
        lsn++;
      }
      if (lsn < start.from() || reader.finds(lsn + 1, lsn)) {
        throw unreadable(last, reader.position(), lsn, Math.max(lsn, start.from() - 1));
      }
      checkOthers(all, format, lsn);
      makeGood(file, last.header().orElseThrow(), lastBatch, reader.position());
      replayAll(new SegmentReader(file, format), last.first(), lsn);
      return new Tail(segments, format, last.name(), reader.position(), lsn);
    }
  }

  /** A header is forced before the records after it, so records without one are damage. */
  private void checkOthers(List<Found> all, RecordFormat format, long next) throws IOException {
    for (Found found : all) {
      if (found.header().isEmpty()) {
        try (JournalDisk.File file = disk.open(found.name())) {
          if (new SegmentReader(file, format).finds(next, 0)) {
            throw damaged(found.name(), 0, "the header can't be read, but records behind it can");
          }
        }
      }
    }
  }

  /**
   * Data that we read may be only in the system's memory, even after a force that failed, so this
   * writes the last batch again. The rest of the segment may hold records of a partly lost batch,
   * which would look valid after others with the same numbers, so this clears it, even where it
   * seems to be clear.
   */
  private static void makeGood(
      JournalDisk.File file, SegmentHeader header, long lastBatch, long end) throws IOException {
    header.write(file);
    ByteBuffer buffer = ByteBuffer.allocate((int) Math.min(COPY, header.bytes()));
    for (long at = lastBatch; at < end; at += buffer.limit()) {
      buffer.clear().limit((int) Math.min(buffer.capacity(), end - at));
      file.read(buffer, at);
      file.write(buffer.flip(), at);
    }
    JournalSegments.clear(file, end, header.bytes());
    file.force();
  }

  private void releaseOthers(List<Found> all, List<Found> chain, JournalSegments segments)
      throws IOException {
    for (Found found : all) {
      if (chain.contains(found)) {
        continue;
      }
      // A segment that was never used may be only in the system's memory, if its force failed.
      if (found.header().isPresent() && found.size() == settings.segmentBytes()) {
        segments.release(found.name());
      } else {
        disk.delete(found.name());
      }
    }
  }

  private JournalException missing(String why) {
    String snapshots =
        start.damaged().isEmpty()
            ? ""
            : "; a snapshot is damaged: " + disk.where(start.damaged().getFirst());
    return new JournalException.Damaged(
        "record %d is needed, but in %s %s%s"
            .formatted(start.from(), disk.where(""), why, snapshots));
  }

  private JournalException unreadable(Found found, long position, long lsn, long forced) {
    return damaged(
        found.name(),
        position,
        "record %d can't be read, but all up to %d were committed".formatted(lsn, forced));
  }

  private JournalException damaged(String name, long position, String what) {
    return new JournalException.Damaged(
        "%s is damaged at byte %d: %s".formatted(disk.where(name), position, what));
  }
}
