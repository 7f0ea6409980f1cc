package dev.semel.admin.internal;

import dev.semel.idempotency.spi.RecordImport;
import java.util.List;

/**
 * What became of the records of a migration; all but the first add up to it.
 *
 * @param read records that were seen; a store that can only scan may show one twice
 * @param copied were not there
 * @param updated were there as they had been earlier
 * @param same were there already
 * @param newer had gone further there, and stayed
 * @param differing were there as another execution's, and stayed
 * @param ended their retention was over before they could be written
 */
public record MigrationReport(
    long read, long copied, long updated, long same, long newer, long differing, long ended) {
  public static final MigrationReport NOTHING = new MigrationReport(0, 0, 0, 0, 0, 0, 0);

  MigrationReport plus(List<RecordImport> page) {
    return new MigrationReport(
        read + page.size(),
        copied + count(page, RecordImport.COPIED),
        updated + count(page, RecordImport.UPDATED),
        same + count(page, RecordImport.SAME),
        newer + count(page, RecordImport.NEWER),
        differing + count(page, RecordImport.DIFFERS),
        ended + count(page, RecordImport.ENDED));
  }

  private static long count(List<RecordImport> page, RecordImport wanted) {
    return page.stream().filter(each -> each == wanted).count();
  }
}
