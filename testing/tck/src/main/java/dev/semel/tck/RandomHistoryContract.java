package dev.semel.tck;

import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.TestFactory;

/** Random steps of several actors get the answers that a small model of a key predicts. */
abstract class RandomHistoryContract extends ContractWords {
  @TestFactory
  Stream<DynamicTest> storeAgreesWithTheModel() {
    return LongStream.rangeClosed(1, store().histories())
        .mapToObj(
            seed ->
                DynamicTest.dynamicTest(
                    "store agrees with the model, seed " + seed,
                    () -> new RandomHistory(store(), seed).run()));
  }
}
