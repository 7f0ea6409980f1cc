package dev.semel.journal.internal;

import static dev.semel.journal.internal.Collected.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.journal.JournalException;
import java.io.IOException;
import java.util.Random;
import org.assertj.core.api.AbstractThrowableAssert;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Bytes that turn on disk: what was committed is missed, what may not have been is cut. */
class DamageTest {
  private static final int RECORD = (int) RecordFormat.sizeOf(8);
  private static final Journal.Settings SETTINGS =
      new Journal.Settings(SegmentHeader.BYTES + 10 * RECORD, 100, 0);
  private static final String FIRST = "00000001.segment";
  private static final String LAST = "00000003.segment";

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);

  /** 25 records in three segments, each committed separately. */
  @BeforeEach
  void fill() {
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected())) {
      for (int i = 0; i < 25; i++) {
        journal.append(bytes("record.."));
        journal.commit();
      }
    }
  }

  private static int at(int record) {
    return SegmentHeader.BYTES + record * RECORD;
  }

  private Collected open() {
    Collected collected = new Collected();
    Journal.open(disk, SETTINGS, collected).close();
    return collected;
  }

  private AbstractThrowableAssert<?, ? extends Throwable> refused() {
    return assertThatThrownBy(this::open).isInstanceOf(JournalException.Damaged.class);
  }

  @Test
  void aRecordThatLaterOnesKnowOfIsMissed() {
    disk.content(LAST).damage(at(2) + RecordFormat.RECORD_HEADER);
    refused()
        .hasMessageContaining("simulated/00000003.segment is damaged at byte " + at(2))
        .hasMessageContaining("record 23 can't be read")
        .hasMessageContaining("restore the folder from a backup");
    disk.content(LAST).damage(at(2) + RecordFormat.RECORD_HEADER);
    assertThat(open().records).as("nothing was changed").hasSize(25);
  }

  @Test
  void aLengthThatTurnedHidesNothing() {
    disk.content(LAST).damage(at(1));
    refused().hasMessageContaining("record 22");
  }

  @Test
  void theLastBatchMayNeverHaveBeenCommittedSoItIsCut() {
    disk.content(LAST).damage(at(4) + RecordFormat.RECORD_HEADER);
    assertThat(open().records).hasSize(24);
    disk.content(LAST).damage(at(3) + 3);
    assertThat(open().records).hasSize(23);
  }

  @Test
  void theLastRecordIsMissedIfASnapshotHasIt() {
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected())) {
      journal.checkpoint(26, out -> {});
    }
    disk.content(LAST).damage(at(4) + RecordFormat.RECORD_HEADER);
    refused().hasMessageContaining("record 25 can't be read, but all up to 25 were committed");
  }

  @Test
  void anEarlierSegmentWasForcedAsAWhole() {
    disk.content(FIRST).damage(at(9) + RecordFormat.RECORD_HEADER);
    refused().hasMessageContaining(FIRST).hasMessageContaining("record 10");
  }

  @Test
  void aHeaderThatTurnedIsMissed() {
    disk.content(LAST).damage(20);
    refused().hasMessageContaining("00000003.segment is damaged at byte 0");
    disk.content(LAST).damage(20);
    disk.content("00000002.segment").damage(20);
    refused().hasMessageContaining("record 11 can't be read, but all up to 20");
    disk.content(FIRST).damage(20);
    refused().hasMessageContaining("record 1 is needed").hasMessageContaining("begin with 21");
    disk.content(LAST).damage(20);
    refused().hasMessageContaining("header can't be read");
  }

  @Test
  void aSegmentThatIsCutShortIsMissed() {
    disk.content(LAST).cut(at(9));
    refused().hasMessageContaining(LAST).hasMessageContaining("should have");
  }

  @Test
  void aSegmentThatIsGoneIsMissedUnlessNoneFollows() throws IOException {
    disk.delete("00000002.segment");
    refused().hasMessageContaining("record 11 can't be read, but all up to 20");
    disk.delete(LAST);
    assertThat(open().records).as("nobody can know of what followed").hasSize(10);
  }

  @Test
  void aDamagedSnapshotIsMissedOnceItsRecordsAreGone() {
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected())) {
      journal.checkpoint(26, out -> out.write(new byte[100]));
    }
    disk.content("0000000000000000026.snapshot").damage(50);
    assertThat(open().records).as("all are still there").hasSize(25);
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected())) {
      journal.checkpoint(26, out -> out.write(new byte[100]));
      for (int i = 0; i < 10; i++) {
        journal.append(bytes("record.."));
      }
      journal.commit();
    }
    disk.content("0000000000000000026.snapshot").damage(50);
    refused().hasMessageContaining("a snapshot is damaged: simulated/0000000000000000026.snapshot");
  }

  @Test
  void aSnapshotWithoutItsJournalIsNotEnough() throws IOException {
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected())) {
      journal.checkpoint(26, out -> {});
    }
    for (String name : disk.list()) {
      if (JournalSegments.isSegment(name)) {
        disk.delete(name);
      }
    }
    refused().hasMessageContaining("record 26 is needed").hasMessageContaining("no segment");
  }
}
