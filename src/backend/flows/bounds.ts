import { DAY, MINUTE, SECOND } from "#platform/clock";

/** What flows may take: each of them is there for a flow that never ends, feeds itself, or grows. */
export const BOUNDS = {
  /** Flows there can be. */
  flows: 500,
  /** Characters of a definition as JSON, and how deep things may stand in one another there. */
  definition: 64_000,
  nesting: 40,
  triggers: 20,
  /** Steps of a definition in all, and lists of steps within one another. */
  steps: 200,
  depth: 5,
  /** Steps that one run takes, and rounds of one loop. */
  stepsOfRun: 5_000,
  rounds: 1_000,
  /** Characters of what a run knows, as JSON; of what it is started with. */
  context: 200_000,
  data: 64_000,
  /** Runs that led to one another. */
  chain: 5,
  /** Runs of one flow, and of all, that have not ended; runs of one flow that begin within a minute. */
  unended: 2_000,
  unendedOfAll: 20_000,
  startsOfMinute: 600,
  /** Runs that one happening wakes. */
  woken: 1_000,
  /** How long a run may take, with all that it waits for; and one step. */
  runTime: 30 * DAY,
  stepTime: MINUTE,
  retries: 5,
  /** What is kept of runs that have ended. */
  keptFor: 30 * DAY,
  keptOfFlow: 1_000,
} as const;

/** Pauses before a step is tried again. */
export const PAUSES = [SECOND, 5 * SECOND, 30 * SECOND, 2 * MINUTE, 10 * MINUTE];
