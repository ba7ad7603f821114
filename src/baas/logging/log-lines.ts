import { z } from "zod";
import { keysOf } from "#platform/objects";
import { LEVELS, type Level } from "./log-levels.ts";

const MAX_LENGTHS = { logger: 200, message: 4_000, exception: 8_000, build: 60, page: 200 };
/** Maximum lines of one batch, as many as clients collect before sending. */
export const MAX_LINES = 1_000;
const LATEST = Date.parse("9999-12-31T23:59:59Z");

/** Removes NUL characters, which PostgreSQL cannot store, and truncates the text. */
const truncateText = (text: string, most: number) => text.replaceAll("\0", "").slice(0, most).toWellFormed();

/**
 * Formats the exception of a log line. Clients send any value as exception; an error object arrives as `{}`.
 */
function formatException(it: unknown): string | null {
  if (it === null || it === undefined || it === "") return null;
  const text = typeof it === "string" ? it : JSON.stringify(it);
  return text === "{}" ? null : text;
}

const optionalText = (most: number) =>
  z
    .string()
    .nullish()
    .transform((text) => (text ? truncateText(text, most) : null));

/**
 * Parses the log lines of an API client. Invalid values are corrected and not refused, because a client
 * would send a refused batch again forever.
 */
export const LogLines = z
  .array(
    z.object({
      logger: z.string().transform((text) => truncateText(text, MAX_LENGTHS.logger) || "unnamed"),
      message: z
        .unknown()
        .optional()
        .transform((it) => truncateText(formatException(it) ?? "", MAX_LENGTHS.message)),
      exception: z
        .unknown()
        .optional()
        .transform((it) => {
          const text = formatException(it);
          return text === null ? null : truncateText(text, MAX_LENGTHS.exception);
        }),
      "log-level": z
        .string()
        .transform((text) => text.toUpperCase())
        .pipe(z.enum(keysOf(LEVELS))),
      timestamp: z.number().nullish().catch(null),
      build: optionalText(MAX_LENGTHS.build),
      page: optionalText(MAX_LENGTHS.page),
    }),
  )
  .transform((lines) =>
    lines.map(({ "log-level": level, timestamp, ...line }) => ({
      ...line,
      level,
      saidAt:
        typeof timestamp === "number" && timestamp >= 0 && timestamp <= LATEST ? new Date(timestamp) : null,
    })),
  );

/** A log line as received. A line without a time gets the current time. */
export type LogLine = {
  logger: string;
  level: Level;
  message: string;
  exception: string | null;
  build: string | null;
  page: string | null;
  saidAt: Date | null;
};

/** Creates a log line of this server; its texts may have any length. */
export const createLogLine = (it: {
  logger: string;
  level: Level;
  message: string;
  exception?: string | null;
}): LogLine => ({
  logger: truncateText(it.logger, MAX_LENGTHS.logger) || "unnamed",
  level: it.level,
  message: truncateText(it.message, MAX_LENGTHS.message),
  exception: it.exception ? truncateText(it.exception, MAX_LENGTHS.exception) : null,
  build: null,
  page: null,
  saidAt: null,
});
