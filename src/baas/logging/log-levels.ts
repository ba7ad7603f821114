/** Log levels from fatal errors to traces. The number is stored. */
export const LEVELS = { FATAL: 1, ERROR: 2, WARN: 3, INFO: 4, DEBUG: 5, TRACE: 6 } as const;
export type Level = keyof typeof LEVELS;

/** Configured thresholds: one for all loggers, and those of single loggers. */
export type LogThresholds = { all: string; of: Map<string, string> };

const LEVEL_NUMBERS: Record<string, number> = {
  off: 0,
  fatal: 1,
  error: 2,
  warn: 3,
  info: 4,
  debug: 5,
  trace: 6,
  all: 6,
};

/** Parses lines of `name = level`; invalid lines are ignored. */
export function parseThresholds(all: string, lines: string): LogThresholds {
  const of = new Map<string, string>();
  for (const line of lines.split("\n")) {
    const [, name, level] = /^\s*(.+?)\s*=\s*([a-z]+)\s*$/.exec(line) ?? [];
    if (name !== undefined && level !== undefined && Object.hasOwn(LEVEL_NUMBERS, level)) of.set(name, level);
  }
  return { all, of };
}

/**
 * Whether a line is stored. As in the client, it must pass both the global threshold and that of its logger.
 */
export const isLogged = ({ all, of }: LogThresholds, logger: string, level: Level): boolean =>
  LEVELS[level] <= Math.min(LEVEL_NUMBERS[all] ?? 6, LEVEL_NUMBERS[of.get(logger) ?? "all"] ?? 6);
