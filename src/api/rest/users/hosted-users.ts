import { getDataConfig, type EntityTable, type DataTables, type ApiRecord } from "#baas/data";
import {
  type AccountsContext,
  addUserProperty,
  type ChangePlan,
  dropUserProperty,
  type ClientInfo,
  type PreparedUser,
  prepareApiUser,
  planApiUserChange,
  createApiUser,
  changeApiUserWithin,
} from "#community/accounts";
import { closedToTokens } from "#community/common";
import { isId } from "#platform/ids";
import type { Caller } from "#baas/data";
import { getTableViewer } from "../data/table-viewer.ts";
import { parseUserRecord } from "./user-schemas.ts";

/**
 * How user records are read: `canAddColumns` if unknown properties create columns, and the names that are
 * relations.
 */
export type UsersTable = { canAddColumns: boolean; relations: ReadonlySet<string> };

export async function readUsersTable(tables: DataTables): Promise<UsersTable> {
  const { dynamicSchema: canAddColumns } = await getDataConfig(tables);
  const { relations } = await tables.catalogue.table("Users");
  return { canAddColumns, relations: new Set(relations.keys()) };
}

/** Removes relations from a record. Clients send back loaded relations along with the other properties. */
export const removeRelations = (
  record: Record<string, unknown>,
  relations: ReadonlySet<string>,
): Record<string, unknown> =>
  Object.fromEntries(Object.entries(record).filter(([name]) => !relations.has(name)));

/** Key of the result of `prepare`, which is passed to the transaction with the record. */
const PREPARED = Symbol("prepared user");
type PreparedRecord = { properties: Record<string, unknown>; canAddColumns: boolean } & (
  | { create: PreparedUser; locale: string }
  | { change: ChangePlan }
);

/**
 * Creates the commands of the `Users` table with the hosted-service defaults, under which saving a record
 * creates or changes an account.
 */
export function createHostedUsers(
  app: Pick<
    AccountsContext,
    "database" | "limits" | "settings" | "now" | "origin" | "sealer" | "accountHooks"
  >,
  users: () => Promise<UsersTable>,
): NonNullable<EntityTable["hosted"]> {
  const read = async (caller: Caller, record: ApiRecord): Promise<PreparedRecord> => {
    // Personal access tokens are refused, because a saved record may change password and email address.
    if (getTableViewer(caller).scopes) throw closedToTokens();
    const { canAddColumns, relations } = await users();
    const { objectId, properties: all, locale, ...user } = parseUserRecord(record);
    const properties = removeRelations(all, relations);
    if (objectId === undefined) {
      const create = await prepareApiUser(app, user, originOf(caller));
      return { create, locale: locale ?? "", properties, canAddColumns };
    }
    const id = isId(objectId) ? objectId : "";
    const change = await planApiUserChange(
      app,
      getTableViewer(caller),
      id,
      { ...user, locale, properties },
      { session: null, canAddColumns },
    );
    return { change, properties, canAddColumns };
  };
  const readyIn = async (caller: Caller, record: ApiRecord): Promise<PreparedRecord> =>
    (record as { [PREPARED]?: PreparedRecord })[PREPARED] ?? (await read(caller, record));

  return {
    refusals: { remove: "Only the account's owner can close it, in their settings." },
    async prepare(caller, records) {
      const prepared: ApiRecord[] = [];
      // Records are prepared one after another, since only a few password hashes may be queued at a time.
      for (const record of records)
        prepared.push(Object.assign({ ...record }, { [PREPARED]: await read(caller, record) }));
      return prepared;
    },
    async create(tx, caller, record) {
      const ready = await readyIn(caller, record);
      if (!("create" in ready)) throw new Error("A new user cannot have an objectId.");
      const { create, properties, canAddColumns, locale: acceptLanguage } = ready;
      return createApiUser(app, tx, getTableViewer(caller), create, {
        properties,
        canAddColumns,
        acceptLanguage,
      });
    },
    async update(tx, caller, objectId, changes) {
      const ready = await readyIn(caller, { objectId, ...changes });
      if (!("change" in ready)) throw new Error("A changed user needs an objectId.");
      await changeApiUserWithin(app, tx, getTableViewer(caller), ready.change);
    },
    answer: ({ email }, found) => ({ ...found, ...(typeof email === "string" && { email: email.trim() }) }),
    extension: { addColumn: addUserProperty, dropColumn: dropUserProperty },
  };
}

/** Origin of a table caller. Code of the operator has no address and is trusted like a server. */
const originOf = ({ server, from }: Caller): ClientInfo => ({
  address: from ?? "",
  userAgent: "",
  acceptLanguage: "",
  trusted: server || from === undefined,
});
