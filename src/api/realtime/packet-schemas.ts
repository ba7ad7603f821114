import { z } from "zod";

const id = z.string().min(1).max(64);
const channel = z.string().min(1).max(100);
const tableName = z.string().min(1).max(64);

export const SubscribePacket = z.object({ id, name: z.string().max(40), options: z.unknown() });
export const UnsubscribePacket = z.object({ id });
export const MethodPacket = z.object({ id, name: z.string().max(40), options: z.unknown() });
export type MethodPacket = z.output<typeof MethodPacket>;

/** Options of a subscription to record changes. */
export const RecordChangesOptions = z.object({
  tableName,
  event: z.enum([
    "created",
    "updated",
    "deleted",
    "upserted",
    "bulk-created",
    "bulk-updated",
    "bulk-deleted",
    "bulk-upserted",
  ]),
  whereClause: z.string().nullish(),
});
export type RecordChangesOptions = z.output<typeof RecordChangesOptions>;
export const RelationChangesOptions = z.object({
  tableName,
  event: z.enum(["set", "add", "delete"]),
  relationColumnName: z.string().min(1).max(64),
  parentObjects: z.array(z.string().max(250)).max(1_000, "can have at most 1000 parents").nullish(),
});
export type RelationChangesOptions = z.output<typeof RelationChangesOptions>;
export const ChannelOptions = z.object({ channel, selector: z.string().max(500).nullish() });

export const UserTokenPacket = z.object({ userToken: z.string().max(4_000).nullish() });
export const CommandPacket = z.object({ channel, type: z.string().max(100), data: z.unknown().optional() });

/** Query of a handshake. Clients without a token send the text `null` as the token. */
export const HandshakeQuery = z.object({
  apiKey: z.string().max(200),
  userToken: z
    .string()
    .max(4_000)
    .optional()
    .transform((text) =>
      text === undefined || text === "" || text === "null" || text === "undefined" ? null : text,
    ),
});
