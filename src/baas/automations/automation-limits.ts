import { DAY, MINUTE, SECOND } from "#platform/clock";

/** Limits that stop automations which never end, trigger themselves, or grow without bound. */
export const LIMITS = {
  flows: 500,
  /** Maximum characters of a definition as JSON; then maximum nesting. */
  definition: 64_000,
  nesting: 40,
  triggers: 20,
  /** Maximum steps of a definition in total; then maximum nesting of step lists. */
  steps: 200,
  depth: 5,
  /** Maximum steps of one run; then maximum rounds of one loop. */
  stepsOfRun: 5_000,
  rounds: 1_000,
  /** Maximum characters of a run's data as JSON; then of its start data. */
  context: 200_000,
  data: 64_000,
  /** Maximum runs that start one another in a chain. */
  chain: 5,
  /**
   * Maximum unfinished runs of one automation, and of all automations; then maximum starts of one automation
   * per minute.
   */
  unended: 2_000,
  unendedOfAll: 20_000,
  startsOfMinute: 600,
  /** Maximum runs woken by one event. */
  woken: 1_000,
  /** Maximum milliseconds of a run including its waits; then of one step. */
  runTime: 30 * DAY,
  stepTime: MINUTE,
  retries: 5,
  /** Milliseconds for which ended runs are kept. */
  keptFor: 30 * DAY,
  keptOfFlow: 1_000,
} as const;

/** Delays before a step is retried. */
export const RETRY_DELAYS = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];
