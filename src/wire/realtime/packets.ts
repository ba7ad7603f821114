import { z } from "zod";

const id = z.string().min(1).max(64);
const channel = z.string().min(1).max(100);
const tableName = z.string().min(1).max(64);

export const SubOn = z.object({ id, name: z.string().max(40), options: z.unknown() });
export const SubOff = z.object({ id });
export const MetReq = z.object({ id, name: z.string().max(40), options: z.unknown() });
export type MetReq = z.output<typeof MetReq>;

/** Options per kind of subscription. */
export const ObjectsChanges = z.object({
  tableName,
  event: z.enum(["created", "updated", "deleted", "upserted", "bulk-created", "bulk-updated", "bulk-deleted", "bulk-upserted"]),
  whereClause: z.string().nullish(),
});
export type ObjectsChanges = z.output<typeof ObjectsChanges>;
export const RelationsChanges = z.object({
  tableName,
  event: z.enum(["set", "add", "delete"]),
  relationColumnName: z.string().min(1).max(64),
  parentObjects: z.array(z.string().max(250)).max(1_000, "There can be 1000 parents.").nullish(),
});
export type RelationsChanges = z.output<typeof RelationsChanges>;
export const InChannel = z.object({ channel, selector: z.string().max(500).nullish() });

export const UserToken = z.object({ userToken: z.string().max(4_000).nullish() });
export const Command = z.object({ channel, type: z.string().max(100), data: z.unknown().optional() });

/** Query of a handshake. Clients without a token send the text `null`. */
export const Handshake = z.object({
  apiKey: z.string().max(200),
  userToken: z
    .string()
    .max(4_000)
    .optional()
    .transform((text) => (text === undefined || text === "" || text === "null" || text === "undefined" ? null : text)),
});
