import type { z } from "zod";
import { Refusal } from "#platform/refusal";
import type { Call } from "./route.ts";

/** What a call brought, as its schema has it. Throws `invalid` with the sentence of the first fault. */
export function parsed<S extends z.ZodType>(schema: S, given: unknown, kind = "bad-body"): z.output<S> {
  const read = schema.safeParse(given);
  if (read.success) return read.data;
  const { path, message } = read.error.issues[0]!;
  const where = path.length > 0 ? `${path.join(".")}: ` : "";
  throw new Refusal("invalid", `${where}${message}`.slice(0, 300), { kind });
}

/** Throws what `kind` has as its number unless the call came with the server key. */
export function assertServerKey({ caller }: Pick<Call, "caller">, sentence: string, kind = "server-key-needed"): void {
  if (caller.key !== "server") throw new Refusal("not-allowed", sentence, { kind });
}
