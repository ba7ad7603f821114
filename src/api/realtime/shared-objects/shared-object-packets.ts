import { z } from "zod";

const name = z.string().min(1).max(250);

export const SharedObjectOptions = z.object({ name });
/** Reads one key, or the whole object without a key; some clients send null instead of omitting it. */
export const GetPacket = z.object({
  name,
  key: z
    .string()
    .nullish()
    .transform((key) => key ?? undefined),
});
export const SetPacket = z.object({ name, key: z.string(), data: z.unknown().optional() });
export const SharedCommandPacket = z.object({
  name,
  type: z.string().max(250),
  data: z.unknown().optional(),
});
export const InvokePacket = z.object({
  name,
  method: z.string().min(1).max(250),
  targets: z.array(z.string().max(100).nullable()).max(1_000).nullish(),
  args: z.array(z.unknown()).max(100).nullish(),
});
