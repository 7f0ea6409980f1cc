package dev.semel.cli;

import dev.semel.admin.ControlCenter;
import dev.semel.admin.Estate;

/** The control center in this process. */
class EstateCenterTest extends ControlCenterContract {
  @Override
  ControlCenter center(Estate estate) {
    return estate.as(actor());
  }

  @Override
  String actor() {
    return "ann";
  }

  @Override
  void end() {}
}
