import { assertMay, type Caller as TableCaller, conditionOn, narrowedBy, noColumn, onTable, type Table, TableFault } from "#backend/tables";
import { OPERATOR } from "#community/rules";
import { Refusal } from "#platform/refusal";
import type { Caller } from "../caller.ts";
import type { ObjectsChanges, RelationsChanges } from "../packets.ts";
import type { RealtimeHouse } from "../room.ts";
import type { TableFollowing } from "./filing.ts";

/** Characters of one condition. */
const LONGEST_CLAUSE = 8_000;

const NOBODY = ["NotAuthenticatedUser"];
const BY_KEY = { client: ["JSUser", "RestUser"], server: ["ServerCodeUser"] };

/** The caller's identity towards data tables. Loaded on first use, and again when it may have changed. */
export async function tableCallerOf(house: RealtimeHouse, caller: Caller): Promise<TableCaller> {
  if (caller.forTables) return caller.forTables;
  const learning = (caller.learning ??= learnedOf(house, caller));
  const known = await learning;
  if (caller.learning === learning) caller.forTables = known;
  return known;
}

async function learnedOf({ accounts }: RealtimeHouse, { viewer, sessionId, withServerKey: server }: Caller): Promise<TableCaller> {
  const program = sessionId === null ? null : await accounts.programOfSession(sessionId);
  const roles = [...BY_KEY[server ? "server" : "client"], ...(program?.roles ?? NOBODY)];
  // Current roles, not those at the time of connecting.
  return { userId: program?.viewer.id ?? null, roles, server, viewer: program?.viewer ?? (server ? OPERATOR : viewer) };
}

/**
 * Reads a table subscription.
 * @throws 1009 for a missing table, 1011, and `invalid` for what the table lacks
 */
export async function readTableFollowing(
  house: RealtimeHouse,
  caller: Caller,
  id: string,
  asked: ObjectsChanges | RelationsChanges,
): Promise<TableFollowing> {
  const who = await tableCallerOf(house, caller);
  return onTable(house.tables, asked.tableName, async (table) => followingOn(table, who, id, asked));
}

/** The same for a loaded table. */
export function followingOn(table: Table, who: TableCaller, id: string, asked: ObjectsChanges | RelationsChanges): TableFollowing {
  if (table.noun) assertFollowed(table.name, asked);
  assertMay(table, who, "find");
  const common = { kind: "table", id, table: table.name, face: faceOf(table), asked, scopes: [] } as const;
  return "relationColumnName" in asked
    ? { ...common, ...relationQuestion(table, asked) }
    : { ...common, ...recordQuestion(table, who, asked) };
}

const faces = new WeakMap<Table, string>();

/**
 * Fingerprint of everything a subscription depends on; shared by all subscribers, since table objects are
 * immutable until reloaded.
 */
export function faceOf(table: Table): string {
  const { id, columns, relations, open, access } = table;
  const known = faces.get(table);
  if (known !== undefined) return known;
  const face = JSON.stringify([id, [...columns.values()].map(({ name, type }) => [name, type]), [...relations.keys()], open, [...access]]);
  faces.set(table, face);
  return face;
}

/** Entities of the community are followed one by one: each is read as its follower, and a change of many is told as many changes. */
export function assertFollowed(name: string, asked: ObjectsChanges | RelationsChanges): void {
  if ("relationColumnName" in asked)
    throw new Refusal(
      "invalid",
      `Relations of '${name}' follow from its records and are not followed here. Follow 'created', 'updated' or 'deleted' of those instead.`,
    );
  if (!FOLLOWED.has(asked.event))
    throw new Refusal("invalid", `Of '${name}' one can follow 'created', 'updated' and 'deleted', and not '${asked.event}'.`);
}
const FOLLOWED: ReadonlySet<string> = new Set(["created", "updated", "deleted"]);

type Question = Pick<TableFollowing, "event" | "question" | "condition" | "asksOfSight" | "narrowed" | "size">;

/** A bulk change has no single record: the condition must be valid, and filters nothing. */
function recordQuestion(table: Table, who: TableCaller, { event, whereClause }: ObjectsChanges): Question {
  const clause = whereClause?.trim() ?? "";
  if (clause.length > LONGEST_CLAUSE)
    throw new Refusal("invalid", `whereClause: a condition can have ${LONGEST_CLAUSE} characters at most.`);
  const condition = conditionOn(table, who, clause);
  const narrowed = narrowedBy(condition);
  const common = { event, question: clause, asksOfSight: null, size: clause.length };
  if (event.startsWith("bulk-")) return { ...common, question: "", condition: null, narrowed: null, size: 0 };
  if (!table.noun) return { ...common, condition, narrowed };
  // The rest of the record is checked as each subscriber sees it.
  return { ...common, condition: null, asksOfSight: condition, narrowed: narrowed?.column === "objectId" ? narrowed : null };
}

/** Indexed under the parent, or under the relation when all parents are meant. */
function relationQuestion(table: Table, { event, relationColumnName: relation, parentObjects }: RelationsChanges): Question {
  if (!table.relations.has(relation)) throw noColumn(relation, table.name);
  const narrowed = parentObjects
    ? { column: "parent", values: [...new Set(parentObjects)].map((parent) => `${relation}/${parent}`) }
    : { column: "relation", values: [relation] };
  const question = JSON.stringify(narrowed);
  return { event: `relation-${event}`, question, condition: null, asksOfSight: null, narrowed, size: question.length };
}

/** Error code by which clients know a refusal; undefined where it is known by its reason. */
export const codeOf = (error: unknown): number | undefined => (error instanceof TableFault ? error.code : undefined);
