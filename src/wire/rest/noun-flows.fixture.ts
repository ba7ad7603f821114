import { afterAll, beforeAll, beforeEach } from "vitest";
import { changeFlow, listRuns, makeFlow, runBy } from "#backend/flows";
import { type Cast, cast } from "../../../test/cast.ts";
import { testDatabase } from "../../../test/setup/database.ts";
import { carrying, doingSteps } from "./flows.fixture.ts";
import { openDoor, type RestDoor } from "./rest.fixture.ts";

/** An app whose automations receive community events; delivery and steps run on request. */
export const database = await testDatabase();
export let door: RestDoor;
export let people: Cast;
export let steps: ReturnType<typeof doingSteps>;
export let carry: ReturnType<typeof carrying>;
export const mails: { to: string; subject: string }[] = [];
beforeAll(async () => {
  door = await openDoor(database);
  steps = doingSteps(door.house, async (_tx, _by, { to, subject }) => void mails.push({ to, subject }));
  carry = carrying(door.house);
});
afterAll(() => door.close());
beforeEach(async () => {
  door.forget();
  people = await cast(database);
  mails.length = 0;
});

let count = 0;
/** Creates an enabled automation and returns its id. */
export async function made(definition: object): Promise<string> {
  const id = await makeFlow(door.house.flows, { name: `flow ${++count}`, definition });
  await changeFlow(door.house.flows, id, { enabled: true });
  door.house.flows.watched.forget();
  return id;
}

type On = { events?: string[]; where?: string; starts?: boolean };
export const on = (table: string, more: On = {}) => ({ kind: "table", name: "it", table, ...more });
export const listening = (table: string, more: On = {}, definition: object = {}) => made({ triggers: [on(table, more)], ...definition });

type Brought = { event: string; table: string; record: Record<string, unknown> };
/** Triggers of an automation's runs, the first one first. */
export async function brought(id: string): Promise<Brought[]> {
  const { rows } = await listRuns(door.house.flows, id);
  const runs = await Promise.all(rows.map((row) => runBy(door.house.flows, row.id)));
  return runs.toReversed().map(({ context }) => (context["trigger"] as { data: Brought }).data);
}
export const events = async (id: string) => (await brought(id)).map(({ event, record }) => [event, record["objectId"]]);
