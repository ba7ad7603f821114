import { DAY, MINUTE, SECOND } from "#platform/clock";

/** Limits that stop automations which never end, trigger themselves, or grow without bound. */
export const AUTOMATION_LIMITS = {
  flows: 500,
  /** Maximum characters of a definition as JSON. */
  definition: 64_000,
  /** Maximum nesting of a definition as JSON. */
  nesting: 40,
  triggers: 20,
  /** Maximum steps of a definition in total. */
  steps: 200,
  /** Maximum nesting of step lists. */
  depth: 5,
  stepsOfRun: 5_000,
  /** Maximum rounds of one loop. */
  rounds: 1_000,
  /** Maximum characters of a run's data as JSON. */
  context: 200_000,
  /** Maximum characters of the data with which a run starts, as JSON. */
  data: 64_000,
  /** Maximum runs that start one another in a chain. */
  chain: 5,
  /** Maximum unfinished runs of one automation. */
  unended: 2_000,
  /** Maximum unfinished runs of all automations together. */
  unendedOfAll: 20_000,
  /** Maximum starts of one automation per minute. */
  startsOfMinute: 600,
  /** Maximum runs woken by one event. */
  woken: 1_000,
  /** Maximum milliseconds of a run including its waits. */
  runTime: 30 * DAY,
  /** Maximum milliseconds of one step. */
  stepTime: MINUTE,
  retries: 5,
  /** Milliseconds for which ended runs are kept. */
  keptFor: 30 * DAY,
  /** Maximum ended runs kept of one automation. */
  keptOfFlow: 1_000,
} as const;

/** Milliseconds before each retry of a failed step. */
export const RETRY_DELAYS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];
