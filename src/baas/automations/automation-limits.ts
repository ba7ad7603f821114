import { DAY, MINUTE, SECOND } from "#platform/clock";

/** Limits of automations, against ones that never end, trigger themselves, or grow. */
export const LIMITS = {
  flows: 500,
  /** Characters of a definition as JSON, and its nesting depth. */
  definition: 64_000,
  nesting: 40,
  triggers: 20,
  /** Steps of a definition in total, and nesting of step lists. */
  steps: 200,
  depth: 5,
  /** Steps of one run, and rounds of one loop. */
  stepsOfRun: 5_000,
  rounds: 1_000,
  /** Characters of a run's data as JSON, and of its start data. */
  context: 200_000,
  data: 64_000,
  /** Runs that start one another in a chain. */
  chain: 5,
  /** Unfinished runs of one automation, and of all; starts of one automation per minute. */
  unended: 2_000,
  unendedOfAll: 20_000,
  startsOfMinute: 600,
  /** Runs woken by one event. */
  woken: 1_000,
  /** Duration of a run with all its waits; of one step. */
  runTime: 30 * DAY,
  stepTime: MINUTE,
  retries: 5,
  /** Retention of ended runs. */
  keptFor: 30 * DAY,
  keptOfFlow: 1_000,
} as const;

/** Delays before a step is retried. */
export const RETRY_DELAYS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];
