package dev.semel.job;

import dev.semel.Operation;

/** What a cron runs, when, and how. */
record CronPlan(Operation operation, CronSchedule schedule, CronSettings settings, CronWork work) {}
