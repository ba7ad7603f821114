import { type Db, many, sql } from "#platform/database";
import { parseTrustedJson } from "#platform/json";
import type { Definition } from "./automation-definition.ts";
import type { Trigger } from "./trigger-schemas.ts";

/** A trigger of an enabled automation, with the current rights of that automation. */
export type ActiveTrigger = { flowId: string; trigger: Trigger; rights: Definition["rights"] };
type TriggerIndex = { tables: Map<string, ActiveTrigger[]>; channels: Map<string, ActiveTrigger[]> };

/** Milliseconds for which the cache is used, in case the notification of a change was lost. */
const CACHE_TIME = 2_000;

/**
 * Triggers by table and channel. A class, because it caches them: every table change and message is looked
 * up here.
 */
export class TriggerRegistry {
  readonly #db: Db;
  #index: Promise<TriggerIndex> | null = null;
  #until = 0;

  constructor(db: Db) {
    this.#db = db;
  }

  forget = (): void => void (this.#index = null);

  onTable = async (name: string): Promise<ActiveTrigger[]> => (await this.#all()).tables.get(name) ?? [];
  onChannel = async (name: string): Promise<ActiveTrigger[]> => (await this.#all()).channels.get(name) ?? [];

  #all(): Promise<TriggerIndex> {
    const now = performance.now();
    if (this.#index && now < this.#until) return this.#index;
    this.#until = now + CACHE_TIME;
    const read = this.#read();
    this.#index = read;
    // A failed read is repeated by the next caller.
    read.catch(() => this.#index === read && this.forget());
    return read;
  }

  async #read(): Promise<TriggerIndex> {
    const rows = await many(
      this.#db,
      sql<Omit<ActiveTrigger, "trigger"> & { definition: string }>`
        select t.flow_id as "flowId", t.definition, v.definition::json ->> 'rights' as rights
        from automation_triggers t join automations f on f.id = t.flow_id
        join automation_versions v on v.flow_id = f.id and v.version = f.version
        where f.enabled order by t.id`,
    );
    const triggerIndex: TriggerIndex = { tables: new Map(), channels: new Map() };
    for (const { flowId, definition, rights } of rows) {
      const trigger = parseTrustedJson<Trigger>(definition);
      if (trigger.kind === "table")
        addToList(triggerIndex.tables, trigger.table, { flowId, trigger, rights });
      if (trigger.kind === "channel")
        addToList(triggerIndex.channels, trigger.channel, { flowId, trigger, rights });
    }
    return triggerIndex;
  }
}

const addToList = (map: Map<string, ActiveTrigger[]>, name: string, it: ActiveTrigger) =>
  void map.set(name, [...(map.get(name) ?? []), it]);
