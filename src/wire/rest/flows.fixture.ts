import { FlowWork, type Hands, hearOf } from "#backend/flows";
import { many, one, sql } from "#platform/database";
import type { Happening } from "#platform/outbox";
import { flowHandsOf } from "./flow-hands.ts";
import type { RestHouse } from "./route.ts";

/** Returns a function that runs due automation steps until none is left. */
export const doingSteps =
  (house: RestHouse, mail: Hands["mail"] = null) =>
  async (): Promise<void> => {
    const { db, world } = house.database;
    const work = new FlowWork(house.flows, house.database, flowHandsOf(house, mail));
    const due = async () => (await one(db, sql<{ n: number }>`select count(*)::int as n from flow_runs where due_at <= ${world.now()}`)).n;
    while ((await due()) > 0) await new Promise((soon) => setTimeout(soon, 10));
    await work.stop();
  };

/** Returns a function that delivers pending events to automations, as the dispatcher would. */
export const carrying =
  ({ database, flows }: RestHouse) =>
  async (): Promise<void> => {
    const told = await many(
      database.db,
      sql<{ id: string; payload: Happening }>`update outbox set handled_at = now() where handled_at is null returning id, payload`,
    );
    for (const { id, payload } of told.toSorted((a, b) => Number(a.id) - Number(b.id))) await hearOf(flows, payload, id);
  };
