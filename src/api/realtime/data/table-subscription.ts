import {
  assertAllowed,
  type Caller as TableCaller,
  parseChangeCondition,
  narrowCondition,
  columnNotFound,
  withTable,
  type Table,
  TableFault,
} from "#baas/data";
import { OPERATOR } from "#community/rules";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Caller, ViewerTableCaller } from "../realtime-caller.ts";
import type { RecordChangesOptions, RelationChangesOptions } from "../packet-schemas.ts";
import type { RealtimeContext } from "../subscription-registry.ts";
import type { TableSubscription } from "./table-subscription-index.ts";
import { findApiIdentityBySession } from "#community/accounts";

/** Maximum characters of one condition. */
const MAX_CLAUSE = 8_000;

const ANONYMOUS_ROLES = ["NotAuthenticatedUser"];
const KEY_ROLES = { client: ["JSUser", "RestUser"], server: ["ServerCodeUser"] };

/**
 * The caller as the data tables identify it. Loaded on first use and cached until its roles may have
 * changed.
 */
export async function getTableCaller(
  app: Pick<RealtimeContext, "database" | "now" | "settings">,
  caller: Caller,
): Promise<ViewerTableCaller> {
  if (caller.tableCaller) return caller.tableCaller;
  const lookup = (caller.tableCallerLookup ??= loadTableCaller(app, caller));
  const known = await lookup;
  if (caller.tableCallerLookup === lookup) caller.tableCaller = known;
  return known;
}

async function loadTableCaller(
  app: Pick<RealtimeContext, "database" | "now" | "settings">,
  { viewer, sessionId, withServerKey: server }: Caller,
): Promise<ViewerTableCaller> {
  const program = sessionId === null ? null : await findApiIdentityBySession(app, sessionId);
  const roles = [...KEY_ROLES[server ? "server" : "client"], ...(program?.roles ?? ANONYMOUS_ROLES)];
  // The current roles, which may differ from those at the time of connecting.
  return {
    userId: program?.viewer.id ?? null,
    roles,
    server,
    viewer: program?.viewer ?? (server ? OPERATOR : viewer),
  };
}

/**
 * Creates a subscription to a table by name.
 * @throws 1009 for a missing table, 1011 without permission, `invalid` for events, columns or relations that
 * the table does not have
 */
export async function readTableSubscription(
  app: Pick<RealtimeContext, "database" | "now" | "settings" | "tables">,
  caller: Caller,
  id: string,
  changesOptions: RecordChangesOptions | RelationChangesOptions,
): Promise<TableSubscription> {
  const who = await getTableCaller(app, caller);
  return withTable(app.tables, changesOptions.tableName, async (table) =>
    createTableSubscription(table, who, id, changesOptions),
  );
}

/**
 * Creates a subscription to a loaded table.
 * @throws like `readTableSubscription`, except 1009
 */
export function createTableSubscription(
  table: Table,
  caller: TableCaller,
  id: string,
  changesOptions: RecordChangesOptions | RelationChangesOptions,
): TableSubscription {
  if (table.entity) assertChangesOptionsSupported(table.name, changesOptions);
  assertAllowed(table, caller, "find");
  const common = {
    kind: "table",
    id,
    table: table.name,
    fingerprint: tableFingerprint(table),
    options: changesOptions,
    scopes: [],
  } as const;
  return "relationColumnName" in changesOptions
    ? { ...common, ...readRelationCondition(table, changesOptions) }
    : { ...common, ...readRecordCondition(table, caller, changesOptions) };
}

const fingerprints = new WeakMap<Table, string>();

/**
 * Fingerprint of everything a subscription depends on. Cached per table object, which never changes once
 * loaded.
 */
export function tableFingerprint(table: Table): string {
  const { id, columns, relations, open, access } = table;
  const known = fingerprints.get(table);
  if (known !== undefined) return known;
  const fingerprint = JSON.stringify([
    id,
    [...columns.values()].map(({ name, type }) => [name, type]),
    [...relations.keys()],
    open,
    [...access],
  ]);
  fingerprints.set(table, fingerprint);
  return fingerprint;
}

/**
 * Refuses subscriptions that entities do not support. Only changes of single records can be followed: each
 * record is loaded as its subscriber sees it, and a bulk change is reported record by record.
 * @throws `invalid` for relations and for bulk events
 */
export function assertChangesOptionsSupported(
  name: string,
  changesOptions: RecordChangesOptions | RelationChangesOptions,
): void {
  if ("relationColumnName" in changesOptions)
    throw new Refusal(
      "invalid",
      msg(
        "Relations of ''{name}'' have no events of their own. " +
          "Listen to 'created', 'updated' or 'deleted' of its records instead.",
        { name },
      ),
    );
  if (!FOLLOWED.has(changesOptions.event))
    throw new Refusal(
      "invalid",
      msg("''{name}'' has the events 'created', 'updated' and 'deleted', not ''{event}''.", {
        name,
        event: changesOptions.event,
      }),
    );
}
const FOLLOWED: ReadonlySet<string> = new Set(["created", "updated", "deleted"]);

type SubscriptionCondition = Pick<
  TableSubscription,
  "event" | "question" | "condition" | "viewerCondition" | "narrowed" | "size"
>;

/**
 * Parses the condition of a record subscription. For bulk events the condition must be valid but is not
 * applied, since they have no single record.
 */
function readRecordCondition(
  table: Table,
  caller: TableCaller,
  { event, whereClause }: RecordChangesOptions,
): SubscriptionCondition {
  const clause = whereClause?.trim() ?? "";
  if (clause.length > MAX_CLAUSE)
    throw new Refusal(
      "invalid",
      msg("whereClause: can have at most {count} characters.", { count: MAX_CLAUSE }),
    );
  const condition = parseChangeCondition(table, caller, clause);
  const narrowed = narrowCondition(condition);
  const common = { event, question: clause, viewerCondition: null, size: clause.length };
  if (event.startsWith("bulk-")) return { ...common, question: "", condition: null, narrowed: null, size: 0 };
  if (!table.entity) return { ...common, condition, narrowed };
  // An entity's record is checked as each subscriber sees it, not by a shared condition.
  return {
    ...common,
    condition: null,
    viewerCondition: condition,
    narrowed: narrowed?.column === "objectId" ? narrowed : null,
  };
}

/** Condition of a relation subscription: the given parents, or every parent of the relation. */
function readRelationCondition(
  table: Table,
  { event, relationColumnName: relation, parentObjects }: RelationChangesOptions,
): SubscriptionCondition {
  if (!table.relations.has(relation)) throw columnNotFound(relation, table.name);
  const narrowed = parentObjects
    ? { column: "parent", values: [...new Set(parentObjects)].map((parent) => `${relation}/${parent}`) }
    : { column: "relation", values: [relation] };
  const question = JSON.stringify(narrowed);
  return {
    event: `relation-${event}`,
    question,
    condition: null,
    viewerCondition: null,
    narrowed,
    size: question.length,
  };
}

/** Error code of a refusal if clients recognize the refusal by its code; otherwise undefined. */
export const errorCode = (error: unknown): number | undefined =>
  error instanceof TableFault ? error.code : undefined;
