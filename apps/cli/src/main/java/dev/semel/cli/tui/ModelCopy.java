package dev.semel.cli.tui;

import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Builds a model from another one by changing some parts. For one thread. */
final class ModelCopy {
  private int width;
  private int height;
  private Panel panel;
  private int operation;
  private Instant now;
  private ConnectionState link;
  private TuiModel.Agenda agenda;
  private Optional<OverviewData> overview;
  private DuplicateFeed feed;
  private KeyWindow keys;
  private List<Double> rates;
  private OverlayDialog dialog;
  private Optional<Notice> notice;
  private boolean left;

  ModelCopy(TuiModel of) {
    width = of.width();
    height = of.height();
    panel = of.panel();
    operation = of.operation();
    now = of.now();
    link = of.link();
    agenda = of.agenda();
    overview = of.overview();
    feed = of.feed();
    keys = of.keys();
    rates = of.rates();
    dialog = of.dialog();
    notice = of.notice();
    left = of.left();
  }

  ModelCopy size(int newWidth, int newHeight) {
    width = newWidth;
    height = newHeight;
    return this;
  }

  ModelCopy panel(Panel value) {
    panel = value;
    return this;
  }

  ModelCopy operation(int value) {
    operation = value;
    return this;
  }

  ModelCopy now(Instant value) {
    now = value;
    return this;
  }

  ModelCopy link(ConnectionState value) {
    link = value;
    return this;
  }

  ModelCopy agenda(TuiModel.Agenda value) {
    agenda = value;
    return this;
  }

  ModelCopy overview(OverviewData value) {
    overview = Optional.of(value);
    return this;
  }

  ModelCopy feed(DuplicateFeed value) {
    feed = value;
    return this;
  }

  ModelCopy keys(KeyWindow value) {
    keys = value;
    return this;
  }

  ModelCopy rates(List<Double> value) {
    rates = value;
    return this;
  }

  ModelCopy dialog(OverlayDialog value) {
    dialog = value;
    return this;
  }

  ModelCopy notice(Optional<Notice> value) {
    notice = value;
    return this;
  }

  ModelCopy left(boolean value) {
    left = value;
    return this;
  }

  TuiModel build() {
    return new TuiModel(
        width, height, panel, operation, now, link, agenda, overview, feed, keys, rates, dialog,
        notice, left);
  }
}
