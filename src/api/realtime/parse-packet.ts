import { issueMessage, msg } from "#platform/messages";
import type { z } from "zod";
import { Refusal } from "#platform/refusal";

/**
 * Parses a packet with a schema.
 * @throws `Refusal` naming the invalid field
 */
export function parsePacket<T>(
  schema: {
    safeParse: (
      it: unknown,
    ) => { success: true; data: T } | { success: false; error: { issues: z.core.$ZodIssue[] } };
  },
  it: unknown,
): T {
  const read = schema.safeParse(it);
  if (read.success) return read.data;
  const issue = read.error.issues[0]!;
  throw new Refusal(
    "invalid",
    msg("{place}: {what}", {
      place: issue.path.join(".") || "The options",
      what: issueMessage(issue),
    }),
  );
}
