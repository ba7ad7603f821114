import {
  type Caller as TableCaller,
  changedRecord,
  eventsOf,
  findersOf,
  findersOfAll,
  findsChanged,
  findsRow,
  type Table,
  wholeOf,
} from "#backend/tables";
import type { Happening, Whole } from "#platform/outbox";
import type { RealtimeHouse, Room } from "../room.ts";
import type { Followed } from "./filing.ts";
import { tableCallerOf } from "./following.ts";

/** A table change with everything known in the process where it happened. */
export type News = { happening: Happening; id: string; whole: Whole | null };
type Scene = { house: RealtimeHouse; room: Room; table: Table; news: News };

const shelfOf = (kind: string, event: string) => (kind === "relation" ? `relation-${event}` : event);
const tableIn = ({ table }: Happening) => String(table);

/** Whether the changed table has subscribers. */
export function isFollowed(room: Room, happening: Happening): boolean {
  const { kind, events } = eventsOf(happening);
  return events.some((event) => room.tables.has(tableIn(happening), shelfOf(kind, event)));
}

/** Delivers a data-table change to subscribers who may read the records. */
export async function tellTables(house: RealtimeHouse, room: Room, news: News): Promise<void> {
  const table = await tableNow(house, tableIn(news.happening));
  if (!table) return;
  const scene = { house, room, table, news };
  const { kind, events } = eventsOf(news.happening);
  if (kind === "record") return tellRecord(scene, events);
  return kind === "records" ? tellMany(scene, events[0]!) : tellRelation(scene, events[0]!);
}

const tableNow = (house: RealtimeHouse, name: string): Promise<Table | null> => house.tables.catalogue.table(name).catch(() => null);

async function tellRecord({ house, room, table, news }: Scene, events: string[]) {
  const changed = await changedRecord(house.tables, table, news.happening, news.id, news.whole);
  if (!changed) return;
  const { record } = changed;
  for (const event of events) {
    const data = event === "deleted" ? { ___class: table.name, objectId: record["objectId"] } : record;
    for (const followed of room.tables.matching(table.name, event, record)) {
      const who = followed.caller.forTables ?? (await tableCallerOf(house, followed.caller));
      if (findsChanged(table, who, changed)) send(followed, data);
    }
  }
}

/** Sends an event to a subscriber. */
export function send({ caller, following }: Followed, data: unknown) {
  // It may have been closed during a query, or read again; then it is still the same subscription.
  const now = caller.subscriptions.get(following.id);
  if (now?.kind === "table" && now.asked === following.asked) caller.send("SUB_RES", { id: following.id, data });
}

/** Delivers the ids a subscriber may see, or the count to those who see the whole table. */
async function tellMany({ house, room, table, news }: Scene, event: string) {
  const { happening, id } = news;
  const ofIds = event === "bulk-created" || event === "bulk-upserted";
  const whole = news.whole ?? (happening[ofIds ? "ids" : "whereClause"] === null ? await wholeOf(house.db, id) : null);
  const followers = room.tables.matching(table.name, event, {});
  if (!ofIds) {
    const all = await findersOfAll(house.tables, table, whole);
    const data = { whereClause: whole?.["whereClause"] ?? happening["whereClause"], count: happening["count"] };
    for (const followed of followers) if (all(await tableCallerOf(house, followed.caller))) send(followed, data);
    return;
  }
  const found = await findersOf(house.tables, table, (whole?.["ids"] ?? listIn(happening["ids"])) as string[]);
  for (const followed of followers) {
    const ids = await found(await tableCallerOf(house, followed.caller));
    if (ids.length > 0) send(followed, ids);
  }
}

const listIn = (text: unknown): string[] => (typeof text === "string" ? (JSON.parse(text) as string[]) : []);

/** Delivers relation changes to subscribers who see the parent, with the children they see. */
async function tellRelation({ house, room, table, news }: Scene, event: string) {
  const { happening, id } = news;
  const [relation, parentId] = [String(happening["relation"]), String(happening["parentId"])];
  const followers = room.tables.matching(table.name, `relation-${event}`, { relation, parent: `${relation}/${parentId}` });
  const child = house.tables.catalogue.known(table.relations.get(relation)?.toTable ?? "");
  if (followers.length === 0 || !child) return;
  const conditional = happening["conditional"] === true;
  const isLong = happening[conditional ? "whereClause" : "children"] === null;
  const whole = news.whole ?? (isLong ? await wholeOf(house.db, id) : null);
  const children = conditional ? [] : ((whole?.["children"] ?? listIn(happening["children"])) as string[]);
  const parents = await findersOfParent(house, table, happening);
  const related = await findersOf(house.tables, child, children);
  for (const followed of followers) {
    const who = await tableCallerOf(house, followed.caller);
    const seen = await related(who);
    if (!(await parents(who)) || (seen.length === 0 && children.length > 0)) continue;
    const whereClause = conditional ? (whole?.["whereClause"] ?? happening["whereClause"]) : null;
    send(followed, { parentObjectId: parentId, conditional, whereClause, children: conditional ? null : seen });
  }
}

/**
 * The event carries the parent's owner, since the parent may be gone. Record grants are queried where there
 * are any.
 */
async function findersOfParent({ tables }: RealtimeHouse, table: Table, { parentId, parentOwner }: Happening) {
  if (!table.hasGrants) return async (who: TableCaller) => findsRow(table, who, parentOwner, []);
  const found = await findersOf(tables, table, [String(parentId)]);
  return async (who: TableCaller) => (await found(who)).length > 0;
}
