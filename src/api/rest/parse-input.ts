import type { z } from "zod";
import { issueMessage, type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Call } from "./rest-route.ts";

/** Names of properties are the caller's. */
const MAX_PATH_LENGTH = 200;

/**
 * Parses input with a schema.
 * @throws `invalid` with the message of the first fault
 */
export function parseInput<S extends z.ZodType>(schema: S, given: unknown, kind = "bad-body"): z.output<S> {
  const parsed = schema.safeParse(given);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const [place, what] = [issue.path.join(".").slice(0, MAX_PATH_LENGTH), issueMessage(issue)];
  throw new Refusal("invalid", place === "" ? what : msg("{place}: {what}", { place, what }), { kind });
}

/** @throws the refusal of `kind` unless the call has the server key */
export function assertServerKey(
  { caller }: Pick<Call, "caller">,
  message: Message,
  kind = "server-key-needed",
): void {
  if (caller.key !== "server") throw new Refusal("not-allowed", message, { kind });
}
