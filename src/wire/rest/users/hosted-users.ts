import { config, type Noun, type Tables, type WireRecord } from "#backend/tables";
import { type Accounts, addProperty, type ChangePlan, dropProperty, type From, type PreparedUser } from "#community/people";
import { isId } from "#platform/ids";
import type { Caller } from "#backend/tables";
import { viewerIn } from "../viewer.ts";
import { userFrom } from "./forms.ts";

type House = {
  accounts: Pick<Accounts, "prepareUser" | "createUser" | "planChange" | "changeUserWithin">;
  users: () => Promise<UsersTable>;
};

/** How user records are read: whether unknown properties create columns, and which names are relations. */
export type UsersTable = { growing: boolean; relations: ReadonlySet<string> };

export async function usersTable(tables: Tables): Promise<UsersTable> {
  const { dynamicSchema: growing } = await config(tables);
  const { relations } = await tables.catalogue.table("Users");
  return { growing, relations: new Set(relations.keys()) };
}

/** A record without its relations: clients send loaded relations back with the rest. */
export const withoutRelations = (record: Record<string, unknown>, relations: ReadonlySet<string>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !relations.has(name)));

/** Result of `prepare`, which travels with the record into the transaction. */
const READY = Symbol("prepared user");
type Ready = { properties: Record<string, unknown>; growing: boolean } & (
  | { create: PreparedUser; locale: string }
  | { change: ChangePlan }
);

/** `Data.of("Users")` with the hosted-service defaults: saving creates and changes accounts. */
export function hostedUsers({ accounts, users }: House): NonNullable<Noun["hosted"]> {
  const read = async (caller: Caller, record: WireRecord): Promise<Ready> => {
    const { growing, relations } = await users();
    const { objectId, properties: all, locale, ...user } = userFrom(record);
    const properties = withoutRelations(all, relations);
    if (objectId === undefined) {
      const create = await accounts.prepareUser(user, fromOf(caller));
      return { create, locale: locale ?? "", properties, growing };
    }
    const id = isId(objectId) ? objectId : "";
    const change = await accounts.planChange(viewerIn(caller), id, { ...user, locale, properties }, { session: null, growing });
    return { change, properties, growing };
  };
  const readyIn = async (caller: Caller, record: WireRecord): Promise<Ready> =>
    (record as { [READY]?: Ready })[READY] ?? (await read(caller, record));

  return {
    refusals: { remove: "An account is closed by whose it is, on their page of settings." },
    async prepare(caller, records) {
      const prepared: WireRecord[] = [];
      // Sequentially, since only a few password hashes may wait at once.
      for (const record of records) prepared.push(Object.assign({ ...record }, { [READY]: await read(caller, record) }));
      return prepared;
    },
    async create(tx, caller, record) {
      const ready = await readyIn(caller, record);
      if (!("create" in ready)) throw new Error("A user that is created has no objectId.");
      const { create, properties, growing, locale: acceptLanguage } = ready;
      return accounts.createUser(tx, viewerIn(caller), create, { properties, growing, acceptLanguage });
    },
    async update(tx, caller, objectId, changes) {
      const ready = await readyIn(caller, { objectId, ...changes });
      if (!("change" in ready)) throw new Error("A user that is changed has an objectId.");
      await accounts.changeUserWithin(tx, viewerIn(caller), ready.change);
    },
    answer: ({ email }, found) => ({ ...found, ...(typeof email === "string" && { email: email.trim() }) }),
    extension: { addColumn: addProperty, dropColumn: dropProperty },
  };
}

/** Origin of a table caller. An operator's code has no address, and is trusted like a server. */
const fromOf = ({ server, from }: Caller): From => ({
  address: from ?? "",
  userAgent: "",
  acceptLanguage: "",
  trusted: server || from === undefined,
});
