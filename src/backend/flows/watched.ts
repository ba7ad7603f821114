import { type Db, many, sql } from "#platform/database";
import type { Definition } from "./definition.ts";
import type { Trigger } from "./triggers.ts";

/** A trigger of an enabled automation, and the current rights of that automation. */
export type Watching = { flowId: string; trigger: Trigger; rights: Definition["rights"] };
type Kept = { tables: Map<string, Watching[]>; channels: Map<string, Watching[]> };

/** Milliseconds for which the cache is trusted, in case a change was not announced. */
const REMEMBERED = 2_000;

/** Triggers by table and channel. A class, because it caches: every change and message looks here. */
export class Watched {
  readonly #db: Db;
  #kept: Promise<Kept> | null = null;
  #until = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  forget = (): void => void (this.#kept = null);

  onTable = async (name: string): Promise<Watching[]> => (await this.#all()).tables.get(name) ?? [];
  onChannel = async (name: string): Promise<Watching[]> => (await this.#all()).channels.get(name) ?? [];

  #all(): Promise<Kept> {
    const now = performance.now();
    if (this.#kept && now < this.#until) return this.#kept;
    this.#until = now + REMEMBERED;
    const read = this.#read();
    this.#kept = read;
    // A failed read is repeated by the next caller.
    read.catch(() => this.#kept === read && this.forget());
    return read;
  }

  async #read(): Promise<Kept> {
    const rows = await many(
      this.#db,
      sql<Omit<Watching, "trigger"> & { definition: string }>`
        select t.flow_id as "flowId", t.definition, v.definition::json ->> 'rights' as rights
        from flow_triggers t join flows f on f.id = t.flow_id join flow_versions v on v.flow_id = f.id and v.version = f.version
        where f.enabled order by t.id`,
    );
    const kept: Kept = { tables: new Map(), channels: new Map() };
    for (const { flowId, definition, rights } of rows) {
      const trigger = JSON.parse(definition) as Trigger;
      if (trigger.kind === "table") put(kept.tables, trigger.table, { flowId, trigger, rights });
      if (trigger.kind === "channel") put(kept.channels, trigger.channel, { flowId, trigger, rights });
    }
    return kept;
  }
}

const put = (map: Map<string, Watching[]>, name: string, it: Watching) => void map.set(name, [...(map.get(name) ?? []), it]);
