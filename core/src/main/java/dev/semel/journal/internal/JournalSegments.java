package dev.semel.journal.internal;

import dev.semel.journal.JournalException;
import dev.semel.loop.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Collection;
import java.util.Deque;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The segments with records that are still needed, and those that can be reused. Safe for use by
 * many threads.
 *
 * <p>Headers define the order, not names. So one write into a segment reuses it, and no folder
 * needs to be forced for that.
 */
final class JournalSegments {
  private static final String SUFFIX = ".segment";
  private static final int ZEROS = 256 << 10;

  /**
   * How much is written at a time where nobody waits: a force of a whole segment would delay all
   * other writes.
   */
  private static final int PACE = 1 << 20;

  private final JournalDisk disk;
  private final Journal.Settings settings;
  private final NavigableMap<Long, String> inUse = new TreeMap<>();
  private final Deque<String> free = new ArrayDeque<>();
  private int slots;

  JournalSegments(JournalDisk disk, Journal.Settings settings, Collection<String> found) {
    this.disk = disk;
    this.settings = settings;
    this.slots = found.stream().mapToInt(JournalSegments::slot).max().orElse(0);
  }

  static boolean isSegment(String name) {
    return name.matches("[0-9]{8}\\" + SUFFIX);
  }

  private static int slot(String name) {
    return Integer.parseInt(name.substring(0, 8));
  }

  synchronized void use(String name, long first) {
    inUse.put(first, name);
  }

  synchronized void release(String name) {
    free.add(name);
  }

  /**
   * Releases the segments in which every number is below that one, except the one being written.
   */
  synchronized void releaseBelow(long lsn) {
    while (inUse.size() > 1 && inUse.navigableKeySet().higher(inUse.firstKey()) <= lsn) {
      Map.Entry<Long, String> oldest = inUse.pollFirstEntry();
      free.add(oldest.getValue());
    }
  }

  /**
   * A free segment, full of zeros or of old records.
   *
   * @throws JournalException.Full there is none, and no room for another
   */
  String take() throws IOException {
    Optional<String> name = poll();
    if (name.isPresent()) {
      return name.get();
    }
    if (!hasRoom()) {
      throw new JournalException.Full(
          "no room for another segment of %d bytes beside the reserve of %d in %s"
              .formatted(settings.segmentBytes(), settings.reserveBytes(), disk.where("")));
    }
    return make(settings.segmentBytes());
  }

  private synchronized Optional<String> poll() {
    return Optional.ofNullable(free.poll());
  }

  /** Makes a segment in advance. False: one is there already, or there is no room. */
  boolean prepare() throws IOException {
    if (hasFree() || !hasRoom()) {
      return false;
    }
    release(make(PACE));
    return true;
  }

  private synchronized boolean hasFree() {
    return !free.isEmpty();
  }

  private boolean hasRoom() throws IOException {
    return disk.usableBytes() >= settings.segmentBytes() + settings.reserveBytes();
  }

  /**
   * Takes long, so a writer must not have to wait for it while other segments are free.
   *
   * @param pace how much is forced at a time; in between, the disk is left to others for as long
   */
  private String make(int pace) throws IOException {
    String name = nextName();
    try (JournalDisk.File file = disk.open(name)) {
      long size = settings.segmentBytes();
      for (long from = 0; from < size; from += pace) {
        long started = System.nanoTime();
        long to = Math.min(size, from + pace);
        clear(file, from, to);
        file.force();
        if (to < size) {
          Platform.REAL.park(this, System.nanoTime() - started);
        }
      }
    }
    disk.forceFolder();
    return name;
  }

  private synchronized String nextName() {
    return String.format(Locale.ROOT, "%08d%s", ++slots, SUFFIX);
  }

  /** Starts a segment for records from that number on. All earlier ones must have been forced. */
  JournalDisk.File begin(String name, long id, long first) throws IOException {
    JournalDisk.File file = disk.open(name);
    try {
      new SegmentHeader(id, first, settings.segmentBytes()).write(file);
      file.force();
    } catch (IOException | RuntimeException | Error e) {
      file.close();
      throw e;
    }
    use(name, first);
    return file;
  }

  /** Writes zeros into this range. */
  static void clear(JournalDisk.File file, long from, long to) throws IOException {
    ByteBuffer zeros = ByteBuffer.allocate((int) Math.min(ZEROS, to - from));
    for (long at = from; at < to; at += zeros.limit()) {
      zeros.clear().limit((int) Math.min(zeros.capacity(), to - at));
      file.write(zeros, at);
    }
  }
}
