package dev.semel.cli.tui;

import dev.semel.admin.KeyFilter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Everything to show, and everything under way. Immutable: {@link Reducer} makes the next one.
 *
 * @param operation index of the chosen row in the configuration
 * @param overview empty: nothing was read yet
 * @param rates messages a second that relays published, oldest first
 * @param left whether the program is to end
 */
public record TuiModel(
    int width,
    int height,
    Panel panel,
    int operation,
    Instant now,
    ConnectionState link,
    Agenda agenda,
    Optional<OverviewData> overview,
    DuplicateFeed feed,
    KeyWindow keys,
    List<Double> rates,
    OverlayDialog dialog,
    Optional<Notice> notice,
    boolean left) {
  /** From this width on, three panels are side by side. */
  static final int WIDE = 118;

  static final int MAX_RATES = 240;

  /**
   * Times of the next requests.
   *
   * @param surveying whether an answer is pending
   * @param listening whether an answer is pending
   */
  record Agenda(
      boolean surveying, Instant survey, boolean listening, Instant listen, Instant page) {
    /** Age after which shown data is read again. */
    static final Duration EVERY = Duration.ofSeconds(2);

    static final Duration LISTEN_EVERY = Duration.ofSeconds(1);

    /** Requests to a slow store are fewer, so that the screen is not what keeps it busy. */
    static final int SHARE = 20;

    static Agenda at(Instant now) {
      return new Agenda(false, now, false, now, now);
    }

    Agenda askedForSurvey() {
      return new Agenda(true, survey, listening, listen, page);
    }

    Agenda surveyed(Instant next) {
      return new Agenda(false, next, listening, listen, page);
    }

    Agenda askedForEvents() {
      return new Agenda(surveying, survey, true, listen, page);
    }

    Agenda listened(Instant next) {
      return new Agenda(surveying, survey, false, next, page);
    }

    Agenda paged(Instant next) {
      return new Agenda(surveying, survey, listening, listen, next);
    }
  }

  public TuiModel {
    rates = List.copyOf(rates);
  }

  static TuiModel begin(int width, int height, Instant now) {
    return new TuiModel(
        width,
        height,
        Panel.STATS,
        0,
        now,
        ConnectionState.begin(now),
        Agenda.at(now),
        Optional.empty(),
        DuplicateFeed.EMPTY,
        KeyWindow.of(KeyFilter.ALL),
        List.of(),
        new OverlayDialog.None(),
        Optional.empty(),
        false);
  }

  public boolean wide() {
    return width >= WIDE;
  }

  TuiModel sized(int newWidth, int newHeight) {
    return copy().size(newWidth, newHeight).build();
  }

  public TuiModel on(Panel next) {
    return copy().panel(next).build();
  }

  TuiModel choosing(int row) {
    return copy().operation(row).build();
  }

  TuiModel at(Instant time) {
    return copy().now(time).build();
  }

  TuiModel with(ConnectionState next) {
    return copy().link(next).build();
  }

  TuiModel with(Agenda next) {
    return copy().agenda(next).build();
  }

  TuiModel with(OverviewData next) {
    return copy().overview(next).build();
  }

  TuiModel with(DuplicateFeed next) {
    return copy().feed(next).build();
  }

  TuiModel with(KeyWindow next) {
    return copy().keys(next).build();
  }

  TuiModel with(OverlayDialog next) {
    return copy().dialog(next).build();
  }

  TuiModel closed() {
    return with(new OverlayDialog.None());
  }

  TuiModel saying(Notice next) {
    return copy().notice(Optional.of(next)).build();
  }

  TuiModel silent() {
    return copy().notice(Optional.empty()).build();
  }

  TuiModel rated(double perSecond) {
    List<Double> next = new ArrayList<>(rates);
    next.add(perSecond);
    return copy().rates(next.subList(Math.max(0, next.size() - MAX_RATES), next.size())).build();
  }

  TuiModel leaving() {
    return copy().left(true).build();
  }

  private ModelCopy copy() {
    return new ModelCopy(this);
  }
}
