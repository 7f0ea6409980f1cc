package dev.semel.admin.internal;

import dev.semel.idempotency.spi.RecordImport;
import java.util.List;

/**
 * The result of a migration in numbers; all but the first add up to it.
 *
 * @param read records that were seen; a store that can only scan may show one twice
 * @param copied were missing in the target
 * @param updated had an earlier state in the target
 * @param same were there already
 * @param newer had a later state in the target, which stayed
 * @param differing belonged to another execution in the target, and stayed
 * @param ended their retention ended before they could be written
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
