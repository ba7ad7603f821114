import { config } from "#backend/tables";
import { programUserFor, type StartedSession } from "#community/people";
import type { Call, RestHouse } from "../route.ts";
import { userRecord } from "./record.ts";

/** Record of a person who has just signed in, with the new token. */
export async function signedInRecord({ house, reply }: Call, { personId, token }: Pick<StartedSession, "personId" | "token">) {
  const self = { id: personId, role: "member", trust: "new", limited: false } as const;
  reply.header("cache-control", "no-store");
  return { ...userRecord(await programUserFor(house.database.db, self, personId)), "user-token": token };
}

/** Whether unknown properties create columns. */
export const growing = async ({ tables }: RestHouse): Promise<boolean> => (await config(tables)).dynamicSchema;
