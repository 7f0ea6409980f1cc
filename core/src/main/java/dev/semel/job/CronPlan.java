package dev.semel.job;

import dev.semel.Operation;

/** What a cron runs, when, and with which settings. */
record CronPlan(Operation operation, CronSchedule schedule, CronSettings settings, CronWork work) {}
