import type { Caller, Column, EntityTable } from "#baas/data";
import {
  API_ENTITIES,
  type EntityColumn,
  type ApiEntity,
  type EntityRelation,
} from "#community/api-entities";
import type { AccountsContext } from "#community/accounts";
import {
  updateRecord,
  createRecord,
  type CommandContext,
  removeRecord,
  unsupportedReason,
} from "#community/services";
import type { Tx } from "#platform/database";
import { withEventCause } from "#platform/outbox";
import { createHostedUsers, type UsersTable } from "../users/hosted-users.ts";
import { getTableViewer } from "./table-viewer.ts";

/**
 * Creates the community entities for the table engine. They are read with the caller's permissions, and
 * written by commands in the engine's transaction.
 */
export const createCommunityEntities = (
  app: Pick<
    AccountsContext,
    "database" | "limits" | "settings" | "now" | "origin" | "sealer" | "accountHooks"
  >,
  /** Returns how user records are currently read. */
  users: () => Promise<UsersTable>,
): EntityTable[] => API_ENTITIES.map((entity) => toTableEntity(app, users, entity));

function toTableEntity(
  app: Pick<
    AccountsContext,
    "database" | "limits" | "settings" | "now" | "origin" | "sealer" | "accountHooks"
  >,
  users: () => Promise<UsersTable>,
  entity: ApiEntity,
): EntityTable {
  const { name } = entity;
  const refusals: NonNullable<EntityTable["refusals"]> = {};
  for (const act of ["create", "update", "remove"] as const) {
    const sentence = unsupportedReason(name, act);
    if (sentence !== null) refusals[act] = sentence;
  }
  // Events that a command emits name the automation run that caused the command.
  const doing = async <T>(
    tx: Tx,
    caller: Caller,
    act: (context: CommandContext) => Promise<T>,
  ): Promise<T> => {
    const context = await createCommandContext(app, tx, caller);
    return withEventCause(caller.cause, () => act(context));
  };
  return {
    name,
    sqlName: entity.view,
    columns: entity.columns.map(toColumn),
    ...(entity.more && { more: async (db) => (await entity.more!(db)).map(toColumn), stamp: entity.stamp }),
    relations: entity.relations.map((relation) => ({
      ...relation,
      autoLoad: false,
      via: relationPath(relation),
    })),
    visible: (caller, alias) => entity.visible(getTableViewer(caller), assertForeignAlias(alias)),
    ...(!refusals.create && {
      create: (tx, caller, record) => doing(tx, caller, (context) => createRecord(context, name, record)),
    }),
    ...(!refusals.update && {
      update: (tx, caller, objectId, changes) =>
        doing(tx, caller, (context) => updateRecord(context, name, objectId, changes)),
    }),
    ...(!refusals.remove && {
      remove: (tx, caller, objectId) => doing(tx, caller, (context) => removeRecord(context, name, objectId)),
    }),
    refusals,
    ...(name === "Users" && {
      hosted: {
        ...createHostedUsers(app, users),
        more: async (db) => (await entity.more!(db, "shared")).map(toColumn),
      },
    }),
  };
}

const toColumn = ({ seen, among, ...column }: EntityColumn): Column => ({
  ...PLAIN_COLUMN,
  ...column,
  ...(seen && { seen: (caller, alias) => seen(getTableViewer(caller), assertForeignAlias(alias)) }),
  ...(among && { among }),
});

const createCommandContext = async (
  { settings }: Pick<AccountsContext, "settings">,
  tx: Tx,
  caller: Caller,
): Promise<CommandContext> => ({
  tx,
  viewer: getTableViewer(caller),
  site: await settings.get(),
});

/**
 * Refuses a view alias that the conditions of entities use themselves (single letters), because it would
 * change the meaning of the condition. Such an alias is a bug, which is reported before any query.
 */
function assertForeignAlias(alias: string): string {
  if (/^[a-su-z]$/.test(alias)) throw new Error(`Conditions of entities need a table ${alias} of their own.`);
  return alias;
}

/** Attributes of a view column. The column has no constraints, because the entity's commands check values. */
const PLAIN_COLUMN = {
  size: null,
  required: false,
  unique: false,
  indexed: false,
  defaultValue: null,
  expression: null,
  customRegex: null,
};

const relationPath = ({ via }: EntityRelation): EntityTable["relations"][number]["via"] =>
  "links" in via
    ? {
        links: { schema: "published", name: via.links },
        parent: "parent",
        child: "child",
        position: "position",
      }
    : via;
