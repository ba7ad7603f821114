import { z } from "zod";
import { LEVELS, type Level } from "./levels.ts";

const LONGEST = { logger: 200, message: 4_000, exception: 8_000, build: 60, page: 200 };
/** Lines of one batch, as many as clients buffer. */
export const MOST_LINES = 1_000;
const LATEST = Date.parse("9999-12-31T23:59:59Z");

/** Removes what PostgreSQL cannot store, and truncates. */
const cut = (text: string, most: number) => text.replaceAll("\0", "").slice(0, most).toWellFormed();

/** Clients send any value as exception; an error object serializes to `{}`. */
function said(it: unknown): string | null {
  if (it === null || it === undefined || it === "") return null;
  const text = typeof it === "string" ? it : JSON.stringify(it);
  return text === "{}" ? null : text;
}

const optional = (most: number) =>
  z
    .string()
    .nullish()
    .transform((text) => (text ? cut(text, most) : null));

/**
 * Log lines of an API client. Odd values are corrected rather than refused, since a client would resend its
 * batch forever.
 */
export const LogLines = z
  .array(
    z.object({
      logger: z.string().transform((text) => cut(text, LONGEST.logger) || "unnamed"),
      message: z
        .unknown()
        .optional()
        .transform((it) => cut(said(it) ?? "", LONGEST.message)),
      exception: z
        .unknown()
        .optional()
        .transform((it) => {
          const text = said(it);
          return text === null ? null : cut(text, LONGEST.exception);
        }),
      "log-level": z
        .string()
        .transform((text) => text.toUpperCase())
        .pipe(z.enum(Object.keys(LEVELS) as [Level, ...Level[]])),
      timestamp: z.number().nullish().catch(null),
      build: optional(LONGEST.build),
      page: optional(LONGEST.page),
    }),
  )
  .transform((lines) =>
    lines.map(({ "log-level": level, timestamp, ...line }) => ({
      ...line,
      level,
      saidAt: typeof timestamp === "number" && timestamp >= 0 && timestamp <= LATEST ? new Date(timestamp) : null,
    })),
  );

/** A log line as received; without a time it counts as now. */
export type Line = {
  logger: string;
  level: Level;
  message: string;
  exception: string | null;
  build: string | null;
  page: string | null;
  saidAt: Date | null;
};

/** A log line of this server, of any length. */
export const lineOf = (it: { logger: string; level: Level; message: string; exception?: string | null }): Line => ({
  logger: cut(it.logger, LONGEST.logger) || "unnamed",
  level: it.level,
  message: cut(it.message, LONGEST.message),
  exception: it.exception ? cut(it.exception, LONGEST.exception) : null,
  build: null,
  page: null,
  saidAt: null,
});
