import { type Condition, meets, type Settled } from "#backend/tables";
import type { Caller } from "../caller.ts";
import type { ObjectsChanges, RelationsChanges } from "../packets.ts";

/** What of a table of a program somebody follows. */
export type TableFollowing = {
  kind: "table";
  id: string;
  table: string;
  /** `created` and its like, `bulk-created` and its like; `relation-set` and its like. */
  event: string;
  /** What was asked for, to be read anew when the table has changed. */
  asked: ObjectsChanges | RelationsChanges;
  /** How the table looked when this was read. */
  face: string;
  /** The same for all who ask the same: what they ask of a change is asked once. */
  question: string;
  condition: Condition | null;
  /** What is asked of the record as this follower finds it, where not everybody finds the same. */
  asksOfSight: Condition | null;
  /** Under which values of which column it is filed; null: it has to be looked at whatever changes. */
  settled: Settled | null;
  /** Characters that it has us keep. */
  size: number;
  scopes: readonly never[];
};
export type Followed = { caller: Caller; following: TableFollowing };
/** Those who ask the same. */
type Group = { condition: Condition | null; settled: Settled | null; members: Map<string, Followed> };

/** Who follows which tables of programs: by table, event and a value that a record has to have, so that a change finds its audience. */
export class TableFiling {
  readonly #tables = new Map<string, Map<string, Shelf>>();

  add(caller: Caller, following: TableFollowing): void {
    const shelves = this.#tables.get(following.table) ?? new Map<string, Shelf>();
    this.#tables.set(following.table, shelves);
    const shelf = shelves.get(following.event) ?? new Shelf();
    shelves.set(following.event, shelf);
    shelf.add(nameOf(caller, following), { caller, following });
  }

  remove(caller: Caller, following: TableFollowing): void {
    const shelves = this.#tables.get(following.table);
    const shelf = shelves?.get(following.event);
    if (!shelves || !shelf) return;
    shelf.remove(nameOf(caller, following), following);
    if (shelf.isEmpty) shelves.delete(following.event);
    if (shelves.size === 0) this.#tables.delete(following.table);
  }

  /** Whether anybody follows this of a table. */
  has = (table: string, event: string): boolean => this.#tables.get(table)?.has(event) ?? false;

  /** Names of the tables that anybody follows. */
  tables = (): string[] => [...this.#tables.keys()];

  /** Those who ask for this change. */
  matching = (table: string, event: string, record: Readonly<Record<string, unknown>>): Followed[] =>
    this.#tables.get(table)?.get(event)?.matching(record) ?? [];

  /** Everybody who follows a table. */
  followersOf = (table: string): Followed[] => [...(this.#tables.get(table)?.values() ?? [])].flatMap((shelf) => shelf.all());
}

const nameOf = (caller: Caller, { id }: TableFollowing) => `${caller.socket.id}/${id}`;

/** Followers of one event of one table. */
class Shelf {
  readonly #groups = new Map<string, Group>();
  readonly #unsettled = new Set<Group>();
  /** By column and the value that a record has to have in it. */
  readonly #settled = new Map<string, Map<string, Set<Group>>>();

  get isEmpty(): boolean {
    return this.#groups.size === 0;
  }

  add(name: string, followed: Followed): void {
    const { question, condition, settled } = followed.following;
    const known = this.#groups.get(question);
    if (known) return void known.members.set(name, followed);
    const group: Group = { condition, settled, members: new Map([[name, followed]]) };
    this.#groups.set(question, group);
    if (settled === null) return void this.#unsettled.add(group);
    const drawers = this.#settled.get(settled.column) ?? new Map<string, Set<Group>>();
    this.#settled.set(settled.column, drawers);
    for (const value of settled.values) drawers.set(value, (drawers.get(value) ?? new Set()).add(group));
  }

  remove(name: string, { question }: TableFollowing): void {
    const group = this.#groups.get(question);
    if (!group?.members.delete(name) || group.members.size > 0) return;
    this.#groups.delete(question);
    this.#unsettled.delete(group);
    if (group.settled) this.#clear(group, group.settled);
  }

  #clear(group: Group, { column, values }: Settled): void {
    const drawers = this.#settled.get(column)!;
    for (const value of values) {
      const drawer = drawers.get(value);
      if (drawer?.delete(group) && drawer.size === 0) drawers.delete(value);
    }
    if (drawers.size === 0) this.#settled.delete(column);
  }

  matching(record: Readonly<Record<string, unknown>>): Followed[] {
    const found: Followed[] = [];
    const look = (groups: Iterable<Group>) => {
      for (const { condition, members } of groups) if (meets(condition, record)) found.push(...members.values());
    };
    look(this.#unsettled);
    for (const [column, drawers] of this.#settled) {
      const value = record[column];
      if (value !== null && value !== undefined) look(drawers.get(String(value)) ?? []);
    }
    return found;
  }

  all = (): Followed[] => [...this.#groups.values()].flatMap(({ members }) => [...members.values()]);
}
