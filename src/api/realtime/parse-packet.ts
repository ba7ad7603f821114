import { Refusal } from "#platform/refusal";

/**
 * Parses a packet.
 * @throws the refusal that names the fault
 */
export function parsePacket<T>(
  schema: {
    safeParse: (
      it: unknown,
    ) =>
      | { success: true; data: T }
      | { success: false; error: { issues: { path: PropertyKey[]; message: string }[] } };
  },
  it: unknown,
): T {
  const read = schema.safeParse(it);
  if (read.success) return read.data;
  const [issue] = read.error.issues;
  throw new Refusal(
    "invalid",
    `${issue?.path.join(".") || "The options"}: ${issue?.message ?? "cannot be read"}`,
  );
}
