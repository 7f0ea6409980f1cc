package dev.semel.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class TextTableTest {
  private static final int MANY = 20_000;

  @Test
  void numbersStandToTheRightAndTextToTheLeft() {
    TextTable table = new TextTable("NAME", "COUNT", "SHARE");
    table.row(List.of("a", "7", "50.0 %")).row(List.of("long", "1,234", "-"));

    assertThat(table.lines())
        .containsExactly("NAME  COUNT   SHARE", "a         7  50.0 %", "long  1,234       -");
  }

  @Test
  void withoutRowsThereAreOnlyHeadings() {
    assertThat(new TextTable("A", "B").lines()).containsExactly("A  B");
  }

  /** The most rows of a listing: measuring all of them for each row would take minutes. */
  @Test
  @Timeout(600)
  void manyRowsAreMeasuredOnce() {
    TextTable table = new TextTable("A", "B", "C", "D", "E");
    for (int i = 0; i < MANY; i++) {
      table.row(List.of("k" + i, "1", "2", "3", "4"));
    }

    assertThat(table.lines()).hasSize(MANY + 1).last().isEqualTo("k19999  1  2  3  4");
  }
}
