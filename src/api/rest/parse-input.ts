import type { z } from "zod";
import { issueMessage, type Message, msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Call } from "./rest-route.ts";

/** Maximum characters of a property path in an error; callers choose the names of properties. */
const MAX_PATH_LENGTH = 200;

/**
 * Parses input with a schema.
 * @throws a refusal of `kind`, with the message of the first error
 */
export function parseInput<S extends z.ZodType>(schema: S, input: unknown, kind = "bad-body"): z.output<S> {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0]!;
  const [place, what] = [issue.path.join(".").slice(0, MAX_PATH_LENGTH), issueMessage(issue)];
  throw new Refusal("invalid", place === "" ? what : msg("{place}: {what}", { place, what }), { kind });
}

/**
 * Refuses calls without the server key.
 * @throws a refusal of `kind`
 */
export function assertServerKey(
  { caller }: Pick<Call, "caller">,
  message: Message,
  kind = "server-key-needed",
): void {
  if (caller.key !== "server") throw new Refusal("not-allowed", message, { kind });
}
