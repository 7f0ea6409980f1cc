package dev.semel.journal.internal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.JournalException;
import dev.semel.journal.internal.SimulatedDisk.Crash;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * A journal that lives several times on one simulated disk, and what it promised: all that was
 * committed is there in order, and nothing that was not appended in its place.
 */
final class CrashRun {
  /** A safeguard that is removed, to see whether the test notices. */
  enum Flaw {
    NONE,
    NO_FORCE,
    NO_SNAPSHOT_FORCE,
    NO_FOLDER_FORCE,
    NUMBER_NOT_COVERED;

    /** Whether a force of that file, or of the folder, which has no name, does something. */
    boolean forces(String name) {
      return switch (this) {
        case NONE, NUMBER_NOT_COVERED -> true;
        case NO_FORCE -> !JournalSegments.isSegment(name);
        case NO_SNAPSHOT_FORCE -> !name.startsWith("snapshot");
        case NO_FOLDER_FORCE -> !name.isEmpty();
      };
    }
  }

  /** What runs met, to be sure that they met it. */
  static final class Tally {
    int recoveries;
    int crashesInRecovery;
    int diskErrors;
    int uncommittedKept;
    int uncommittedCut;
    int snapshotsRead;
  }

  private static final int RECORD_SPACE = 1024;
  private static final int MAX_STEPS = 120;

  private final Random random;
  private final RecordFormat format;
  private final SimulatedDisk disk;
  private final Journal.Settings settings;
  private final int fixedLength;
  private final Tally tally;

  private final List<byte[]> log = new ArrayList<>();
  private int committed;
  private long snapshot = Journal.FIRST;
  private long made;

  private CrashRun(long seed, Flaw flaw, Tally tally) {
    this.random = new Random(seed);
    this.tally = tally;
    this.format = new RecordFormat(random.nextLong(), flaw != Flaw.NUMBER_NOT_COVERED);
    this.disk = new SimulatedDisk(random, flaw::forces);
    int buffer = new int[] {RecordFormat.RECORD_HEADER, 100, 4096}[random.nextInt(3)];
    this.settings = new Journal.Settings(SegmentHeader.BYTES + RECORD_SPACE, buffer, 0);
    this.fixedLength = random.nextBoolean() ? 8 + random.nextInt(80) : 0;
  }

  /** Throws if a promise was broken; the message says how to see it again. */
  static void run(long seed, Flaw flaw, Tally tally) {
    try {
      new CrashRun(seed, flaw, tally).live();
    } catch (AssertionError | RuntimeException | IOException e) {
      throw new AssertionError(
          "seed %d with flaw %s; again: mvn test -pl :semel-core -Dtest=JournalCrashTest -Dsemel.seed=%d"
              .formatted(seed, flaw, seed),
          e);
    }
  }

  private void live() throws IOException {
    int lives = 3 + random.nextInt(5);
    for (int life = 0; life < lives; life++) {
      disk.crashAfter(random.nextInt(random.nextInt(MAX_STEPS) + 1));
      if (random.nextInt(4) == 0) {
        disk.failAfter(random.nextInt(MAX_STEPS / 3));
      }
      liveOnce();
      if (random.nextInt(3) == 0) {
        disk.kill();
      } else {
        disk.losePower();
      }
    }
    openAndCheck();
  }

  private void liveOnce() throws IOException {
    Journal journal;
    try {
      journal = openAndCheck();
    } catch (Crash | JournalException.Failed e) {
      expected(e);
      tally.crashesInRecovery++;
      return;
    }
    try {
      work(journal);
    } catch (JournalException.Failed e) {
      expected(e);
      staysStopped(journal, e);
    }
  }

  private void expected(RuntimeException e) {
    if (!disk.hasCrashed() && !disk.hasFailed()) {
      throw e;
    }
    if (!disk.hasCrashed()) {
      tally.diskErrors++;
    }
  }

  private static void staysStopped(Journal journal, JournalException.Failed first) {
    assertThatThrownBy(journal::commit).isSameAs(first);
    assertThatThrownBy(() -> journal.append(ByteBuffer.wrap(new byte[1]))).isSameAs(first);
    assertThatThrownBy(journal::prepare).isSameAs(first);
    assertThatThrownBy(() -> journal.checkpoint(Journal.FIRST, out -> {})).isSameAs(first);
  }

  private void work(Journal journal) {
    for (int i = random.nextInt(MAX_STEPS * 3); i > 0; i--) {
      int dice = random.nextInt(100);
      if (dice < 70) {
        byte[] record = record();
        log.add(record);
        long lsn = journal.append(ByteBuffer.wrap(record));
        if (lsn != log.size()) {
          throw new AssertionError("record %d got number %d".formatted(log.size(), lsn));
        }
      } else if (dice < 94) {
        journal.commit();
        committed = log.size();
      } else if (dice < 98) {
        checkpoint(journal);
      } else {
        journal.prepare();
      }
    }
  }

  /** Every record ever made differs from all others. */
  private byte[] record() {
    int length = fixedLength > 0 ? fixedLength : 8 + random.nextInt(200);
    if (random.nextInt(100) == 0) {
      length = settings.maxRecordBytes();
    }
    ByteBuffer record = ByteBuffer.allocate(length);
    random.nextBytes(record.array());
    record.putLong(0, ++made);
    return record.array();
  }

  private void checkpoint(Journal journal) {
    long from = snapshot + random.nextLong(committed + 2 - snapshot);
    byte[] filling = new byte[random.nextInt(2000)];
    random.nextBytes(filling);
    journal.checkpoint(
        from,
        out -> {
          DataOutputStream data = new DataOutputStream(out);
          data.writeLong(digestBelow(from));
          data.write(filling);
        });
    snapshot = from;
  }

  private long digestBelow(long from) {
    long digest = 1;
    for (int i = 0; i < from - 1; i++) {
      digest = digest * 31 + ByteBuffer.wrap(log.get(i)).getLong();
    }
    return digest;
  }

  private Journal openAndCheck() throws IOException {
    Seen seen = new Seen();
    Journal journal = Journal.open(disk, settings, seen, format);
    tally.recoveries++;
    int end = (int) seen.next - 1;
    assertThat(end).as("committed records there").isGreaterThanOrEqualTo(committed);
    assertThat(journal.committed()).isEqualTo(end);
    assertThat(seen.from).as("start of replay").isGreaterThanOrEqualTo(snapshot);
    tally.uncommittedKept += end - committed;
    tally.uncommittedCut += log.size() - end;
    log.subList(end, log.size()).clear();
    committed = end;
    snapshot = seen.from;
    return journal;
  }

  /** Holds what a journal hands over against what was appended. */
  private final class Seen implements JournalReplay {
    private long from = Journal.FIRST;
    private long next = Journal.FIRST;

    @Override
    public void snapshot(long first, InputStream content) throws IOException {
      assertThat(next).as("snapshot first").isEqualTo(Journal.FIRST);
      assertThat(new DataInputStream(content).readLong()).isEqualTo(digestBelow(first));
      from = first;
      next = first;
      tally.snapshotsRead++;
    }

    @Override
    public void record(long lsn, ByteBuffer payload) {
      boolean due = lsn == next++ && lsn <= log.size();
      if (!due || !payload.equals(ByteBuffer.wrap(log.get((int) lsn - 1)))) {
        throw new AssertionError("record %d is not the one that was appended".formatted(lsn));
      }
    }
  }
}
