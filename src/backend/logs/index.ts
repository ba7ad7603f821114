import { z } from "zod";
import type { Log } from "#platform/log";

const LEVELS = { DEBUG: "debug", INFO: "info", WARN: "warn", ERROR: "error", FATAL: "fatal", TRACE: "trace" } as const;

/** Lines that a program hands in: at most 1000 in one go, each cut to what is worth keeping. */
export const LogLines = z
  .array(
    z.object({
      logger: z.string().min(1).max(200),
      message: z.string().transform((text) => text.slice(0, 4_000)),
      exception: z
        .string()
        .nullish()
        .transform((text) => text?.slice(0, 8_000)),
      "log-level": z.enum(["DEBUG", "INFO", "WARN", "ERROR", "FATAL", "TRACE"]),
      timestamp: z.number(),
    }),
  )
  .max(1_000);

/** Writes a program's lines into our log, under the program's own logger names. */
export function takeLines(log: Log, lines: z.output<typeof LogLines>): void {
  for (const line of lines)
    log[LEVELS[line["log-level"]]]({ logger: line.logger, exception: line.exception, toldAt: line.timestamp }, line.message);
}
