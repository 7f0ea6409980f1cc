package dev.semel.cli;

import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;

/** The control center in this process. */
class EstateCenterTest extends ControlCenterContract {
  @Override
  ControlCenter center(AdminTargets estate) {
    return estate.as(actor());
  }

  @Override
  String actor() {
    return "ann";
  }

  @Override
  void end() {}
}
