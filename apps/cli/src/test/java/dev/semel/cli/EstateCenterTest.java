package dev.semel.cli;

import dev.semel.admin.AdminTargets;
import dev.semel.admin.ControlCenter;

/** Runs the contract on the control center in this process. */
class TargetsCenterTest extends ControlCenterContract {
  @Override
  ControlCenter center(AdminTargets targets) {
    return targets.as(actor());
  }

  @Override
  String actor() {
    return "ann";
  }

  @Override
  void end() {}
}
