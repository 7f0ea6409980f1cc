package dev.semel.idempotency.spi;

import dev.semel.internal.DurationText;
import java.time.Duration;

/** How old the first request was when a duplicate arrived: at most this. */
public enum DuplicateAge {
  SECOND(Duration.ofSeconds(1)),
  SECONDS_2(Duration.ofSeconds(2)),
  SECONDS_5(Duration.ofSeconds(5)),
  SECONDS_10(Duration.ofSeconds(10)),
  SECONDS_30(Duration.ofSeconds(30)),
  MINUTE(Duration.ofMinutes(1)),
  MINUTES_2(Duration.ofMinutes(2)),
  MINUTES_5(Duration.ofMinutes(5)),
  MINUTES_10(Duration.ofMinutes(10)),
  MINUTES_30(Duration.ofMinutes(30)),
  HOUR(Duration.ofHours(1)),
  HOURS_2(Duration.ofHours(2)),
  HOURS_4(Duration.ofHours(4)),
  HOURS_8(Duration.ofHours(8)),
  HOURS_12(Duration.ofHours(12)),
  DAY(Duration.ofDays(1)),
  DAYS_2(Duration.ofDays(2)),
  DAYS_3(Duration.ofDays(3)),
  DAYS_7(Duration.ofDays(7)),
  DAYS_14(Duration.ofDays(14)),
  DAYS_30(Duration.ofDays(30)),
  OLDER(ClaimRequest.MAX_RETENTION);

  private final Duration atMost;

  DuplicateAge(Duration atMost) {
    this.atMost = atMost;
  }

  public Duration atMost() {
    return atMost;
  }

  /** The name that stores use. */
  public String field() {
    return this == OLDER ? "age_older" : "age_" + DurationText.format(atMost);
  }

  public static DuplicateAge of(Duration age) {
    for (DuplicateAge bucket : values()) {
      if (age.compareTo(bucket.atMost) <= 0) {
        return bucket;
      }
    }
    return OLDER;
  }
}
