import { getDataConfig } from "#baas/data";
import { getApiUser, type StartedSession } from "#community/accounts";
import type { Call, RestContext } from "../rest-route.ts";
import { toUserRecord } from "./user-record.ts";

/** Creates the record of a person who has just signed in, with the new token. */
export async function createSignedInRecord(
  { app, reply }: Call,
  { personId, token }: Pick<StartedSession, "personId" | "token">,
) {
  const self = { id: personId, role: "member", trust: "new", limited: false } as const;
  reply.header("cache-control", "no-store");
  return { ...toUserRecord(await getApiUser(app.database.db, self, personId)), "user-token": token };
}

/** Whether unknown properties create columns. */
export const hasDynamicSchema = async ({ tables }: Pick<RestContext, "tables">): Promise<boolean> =>
  (await getDataConfig(tables)).dynamicSchema;
