package dev.semel.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class PlaceTest {
  private static final List<Place> PLACES =
      List.of(
          new Place("a", "", "1"),
          new Place("b", "7", "8"),
          new Place("a", "1", "2"),
          new Place("a", "2", "5"),
          new Place("b", "8", "9"));

  @Test
  void allOver() {
    assertThat(Place.reached(PLACES, i -> true))
        .containsExactly(new Place("a", "", "5"), new Place("b", "7", "9"));
  }

  @Test
  void aLaneEndsBeforeTheFirstThatIsNotOver() {
    assertThat(Place.reached(PLACES, i -> i != 2 && i != 1))
        .containsExactly(new Place("a", "", "1"));
  }

  @Test
  void nothingIsSkippedWhereSomethingIsMissing() {
    List<Place> torn = List.of(new Place("a", "", "1"), new Place("a", "2", "3"));
    assertThat(Place.reached(torn, i -> true)).containsExactly(new Place("a", "", "1"));
  }
}
