package dev.semel.journal.internal;

import static dev.semel.journal.internal.Collected.bytes;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.semel.InvalidInput;
import dev.semel.journal.JournalException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** What a journal takes, refuses, keeps and lets go. */
class JournalTest {
  /** Ten records of the tests' size fill a segment. */
  private static final int ROOM = 10 * (int) RecordFormat.sizeOf(8);

  private static final Journal.Settings SETTINGS =
      new Journal.Settings(SegmentHeader.BYTES + ROOM, 100, 1000);

  private final SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
  private Journal journal = open(new Collected());

  private Journal open(JournalReplay replay) {
    return Journal.open(disk, SETTINGS, replay);
  }

  private Collected reopen() {
    Collected collected = new Collected();
    journal.close();
    journal = open(collected);
    return collected;
  }

  private void commit(int records) {
    for (int i = 0; i < records; i++) {
      journal.append(bytes("record.."));
    }
    journal.commit();
  }

  private long segments() {
    return disk.list().stream().filter(JournalSegments::isSegment).count();
  }

  @Test
  void committedRecordsComeBackInOrder() {
    assertThat(journal.append(bytes("a"))).isEqualTo(1);
    assertThat(journal.append(bytes("b"))).isEqualTo(2);
    assertThat(journal.committed()).isZero();
    journal.commit();
    assertThat(journal.committed()).isEqualTo(2);
    assertThat(reopen().records).containsExactly("1:a", "2:b");
    assertThat(journal.append(bytes("c"))).isEqualTo(3);
    journal.commit();
    assertThat(reopen().records).containsExactly("1:a", "2:b", "3:c");
  }

  @Test
  void whatWasNotCommittedIsNotWritten() {
    journal.append(bytes("a"));
    assertThat(reopen().records).isEmpty();
  }

  @Test
  void onlyOneCanHaveIt() {
    assertThatThrownBy(() -> open(new Collected())).isInstanceOf(JournalException.InUse.class);
  }

  @Test
  void recordsFillASegmentAtMost() {
    int max = SETTINGS.maxRecordBytes();
    assertThatThrownBy(() -> journal.append(ByteBuffer.allocate(max + 1)))
        .isInstanceOf(InvalidInput.class)
        .hasMessageContaining(String.valueOf(max));
    assertThatThrownBy(() -> journal.append(ByteBuffer.allocate(0)))
        .isInstanceOf(InvalidInput.class);
    journal.append(bytes("x".repeat(max)));
    journal.append(bytes("a"));
    journal.commit();
    assertThat(reopen().records).containsExactly("1:" + "x".repeat(max), "2:a");
  }

  @Test
  void segmentsAreUsedAgain() {
    for (int i = 1; i <= 100; i++) {
      commit(10);
      String state = "state " + i;
      journal.checkpoint(
          journal.committed() + 1, out -> out.write(state.getBytes(StandardCharsets.UTF_8)));
    }
    assertThat(segments()).isEqualTo(2);
    Collected collected = reopen();
    assertThat(collected.snapshot).isEqualTo("1001:state 100");
    assertThat(collected.records).isEmpty();
    assertThat(disk.list()).filteredOn(name -> name.endsWith("snapshot")).hasSize(1);
  }

  @Test
  void recordsThatAreInNoSnapshotComeAfterIt() {
    commit(25);
    journal.checkpoint(13, out -> out.write('s'));
    Collected collected = reopen();
    assertThat(collected.snapshot).isEqualTo("13:s");
    assertThat(collected.records).hasSize(13).startsWith("13:record..").endsWith("25:record..");
  }

  @Test
  void aSnapshotHoldsOnlyWhatIsCommitted() {
    journal.append(bytes("a"));
    assertThatThrownBy(() -> journal.checkpoint(2, out -> {}))
        .isInstanceOf(IllegalStateException.class);
    journal.commit();
    journal.checkpoint(2, out -> {});
  }

  @Test
  void aSegmentMadeInAdvanceIsTheNext() {
    assertThat(journal.prepare()).isTrue();
    assertThat(journal.prepare()).isFalse();
    commit(11);
    assertThat(segments()).isEqualTo(2);
  }

  @Test
  void theReserveIsLeftAlone() {
    journal.append(bytes("a"));
    disk.usable = SETTINGS.reserveBytes() - 1;
    journal.append(bytes("b")); // belongs to a batch that was let in
    journal.commit();
    assertThatThrownBy(() -> journal.append(bytes("c")))
        .isInstanceOf(JournalException.Full.class)
        .hasMessageContaining("reserve of 1000");
    journal.checkpoint(3, out -> {});
    disk.usable = SETTINGS.reserveBytes();
    assertThat(journal.append(bytes("c"))).isEqualTo(3);
  }

  @Test
  void noRoomForASegmentLeavesTheBatchWhole() {
    disk.usable = SETTINGS.reserveBytes() + SETTINGS.segmentBytes() - 1;
    commit(8);
    journal.append(bytes("record.."));
    journal.append(bytes("record.."));
    assertThatThrownBy(() -> journal.append(bytes("record..")))
        .isInstanceOf(JournalException.Full.class);
    assertThat(journal.prepare()).isFalse();
    journal.commit();
    assertThat(journal.committed()).isEqualTo(10);
    disk.usable++;
    commit(1);
    assertThat(reopen().records).hasSize(11);
  }

  @Test
  void otherSettingsTakeOverWhatIsThere() {
    commit(35);
    journal.checkpoint(31, out -> {});
    journal.close();
    Journal.Settings larger = new Journal.Settings(2 * SETTINGS.segmentBytes(), 100, 0);
    Collected collected = new Collected();
    journal = Journal.open(disk, larger, collected);
    assertThat(collected.records).hasSize(5);
    journal.append(ByteBuffer.allocate(larger.maxRecordBytes()));
    journal.commit();
    assertThat(segments()).isEqualTo(2);
    journal.close();
    journal = Journal.open(disk, larger, collected);
    assertThat(journal.committed()).isEqualTo(36);
  }

  /** Found by simulation: the system shows such a segment whole, and the disk has none of it. */
  @Test
  void aSegmentWhoseForceFailedIsMadeAgain() {
    for (int seed = 0; seed < 10; seed++) {
      SimulatedDisk failing = new SimulatedDisk(new Random(seed), SimulatedDisk.ALL);
      Journal first = Journal.open(failing, SETTINGS, new Collected());
      failing.failAfter(2);
      assertThatThrownBy(first::prepare).isInstanceOf(JournalException.Failed.class);
      failing.kill();
      Journal second = Journal.open(failing, SETTINGS, new Collected());
      for (int i = 0; i < 15; i++) {
        second.append(bytes("record.."));
      }
      second.commit();
      failing.losePower();
      Collected collected = new Collected();
      Journal.open(failing, SETTINGS, collected).close();
      assertThat(collected.records).hasSize(15);
    }
  }

  @Test
  void onceTheDiskHasFailedNothingFollows() {
    journal.append(bytes("a"));
    disk.failAfter(1);
    assertThatThrownBy(journal::commit)
        .isInstanceOf(JournalException.Failed.class)
        .hasMessageContaining("the disk failed")
        .satisfies(
            first -> {
              assertThatThrownBy(() -> journal.append(bytes("b"))).isSameAs(first);
              assertThatThrownBy(journal::commit).isSameAs(first);
            });
    assertThat(journal.committed()).isZero();
  }

  @Test
  void nobodyCanForgeRecordsWithoutKnowingTheId() {
    assertThat(openWithForgedRecord(new RecordFormat(new Random(2).nextLong(), true)))
        .containsExactly("1:record..");
    assertThatThrownBy(() -> openWithForgedRecord(new RecordFormat(0, true)))
        .as("the forged record is good where the id is known")
        .isInstanceOf(JournalException.Damaged.class);
  }

  /** Record 2 is torn, and holds what looks like record 3, which says that 2 was forced. */
  private static List<String> openWithForgedRecord(RecordFormat format) {
    SimulatedDisk disk = new SimulatedDisk(new Random(1), SimulatedDisk.ALL);
    ByteBuffer forged = ByteBuffer.allocate(80);
    int checksum = new RecordFormat(0, true).checksum(8, 3, 2, bytes("forged.."));
    forged.putInt(8).putInt(checksum).putLong(3).putLong(2).put(bytes("forged.."));
    try (Journal journal = Journal.open(disk, SETTINGS, new Collected(), format)) {
      journal.append(bytes("record.."));
      journal.append(forged.clear());
      journal.commit();
    }
    int end = SegmentHeader.BYTES + (int) (RecordFormat.sizeOf(8) + RecordFormat.sizeOf(80));
    disk.content("00000001.segment").damage(end - 1);
    Collected collected = new Collected();
    Journal.open(disk, SETTINGS, collected, format).close();
    return collected.records;
  }
}
