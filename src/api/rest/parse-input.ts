import type { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Call } from "./rest-route.ts";

/**
 * Parses input with a schema.
 * @throws `invalid` with the message of the first fault
 */
export function parseInput<S extends z.ZodType>(schema: S, given: unknown, kind = "bad-body"): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const where = path.length > 0 ? `${path.join(".")}: ` : "";
  throw new Refusal("invalid", `${where}${message}`.slice(0, 300), { kind });
}

/** @throws the refusal of `kind` unless the call has the server key */
export function assertServerKey(
  { caller }: Pick<Call, "caller">,
  sentence: string,
  kind = "server-key-needed",
): void {
  if (caller.key !== "server") throw new Refusal("not-allowed", sentence, { kind });
}
