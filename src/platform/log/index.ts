import { type DestinationStream, pino, type Logger, type LoggerOptions } from "pino";
import { redactLine } from "./redact.ts";

export { redactInLogs, redactText } from "./redact.ts";
export { FailureDigest } from "./failure-digest.ts";
export type Log = Logger;

/**
 * Creates the one logger of a process: JSON lines on standard output. Fields that could hold secrets or
 * personal data are redacted here as well, although no caller should pass them. `LOG_LEVEL` is one of pino's
 * names.
 */
export const createLog = (level: string, destination?: DestinationStream): Log => {
  const options: LoggerOptions = {
    level,
    base: undefined,
    redact: {
      paths: [
        "password",
        "token",
        "email",
        "*.password",
        "*.token",
        "*.email",
        "headers",
        "req.headers",
        "body",
      ],
      remove: true,
    },
    serializers: { err: errorForLog },
    hooks: { streamWrite: redactLine },
  };
  return destination ? pino(options, destination) : pino(options);
};

/** Returns type and stack of an error. The detail of a database error can hold values, so it is left out. */
function errorForLog(error: unknown) {
  if (!(error instanceof Error)) return { message: String(error) };
  const code = "code" in error ? error.code : undefined;
  return { name: error.name, message: error.message, code, stack: error.stack };
}
