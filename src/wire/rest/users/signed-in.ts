import { config } from "#backend/tables";
import { programUserFor, type StartedSession } from "#community/people";
import type { Call, RestHouse } from "../route.ts";
import { userRecord } from "./record.ts";

/** Whoever has just signed in, with the token to show from now on. */
export async function signedInRecord({ house, reply }: Call, { personId, token }: Pick<StartedSession, "personId" | "token">) {
  const self = { id: personId, role: "member", trust: "new", limited: false } as const;
  reply.header("cache-control", "no-store");
  return { ...userRecord(await programUserFor(house.database.db, self, personId)), "user-token": token };
}

/** Whether what is saved under a name that is not there yet makes it. */
export const growing = async ({ tables }: RestHouse): Promise<boolean> => (await config(tables)).dynamicSchema;
