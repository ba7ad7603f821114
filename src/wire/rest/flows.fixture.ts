import { FlowWork, type Hands } from "#backend/flows";
import { one, sql } from "#platform/database";
import { flowHandsOf } from "./flow-hands.ts";
import type { RestHouse } from "./route.ts";

/** Does the steps of a house's flows until none is due; to be asked for whenever a test wants that. */
export const doingSteps =
  (house: RestHouse, mail: Hands["mail"] = null) =>
  async (): Promise<void> => {
    const { db, world } = house.database;
    const work = new FlowWork(house.flows, house.database, flowHandsOf(house, mail));
    const due = async () => (await one(db, sql<{ n: number }>`select count(*)::int as n from flow_runs where due_at <= ${world.now()}`)).n;
    while ((await due()) > 0) await new Promise((soon) => setTimeout(soon, 10));
    await work.stop();
  };
