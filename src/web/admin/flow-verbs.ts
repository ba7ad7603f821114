import {
  activateTrigger,
  changeFlow,
  definitionFor,
  type Flow,
  itemAt,
  movedIn,
  putIn,
  removeFlow,
  sizeOf,
  takenFrom,
} from "#backend/flows";
import type { SignedIn } from "#community/rules";
import { notFound, Refusal } from "#platform/refusal";
import { clean } from "../forms.ts";
import type { House } from "../house.ts";
import { urls } from "../urls.ts";
import { itemIn, jsonIn } from "./flow-fields.ts";
import { kindsOf } from "./flow-forms.ts";

type At = { house: House; viewer: SignedIn; flow: Flow; form: FormData };

const said = (form: FormData, name: string, most = 200) =>
  clean(String(form.get(name) ?? ""))
    .trim()
    .slice(0, most);

/** The version that the form was rendered from. */
const fromIn = (form: FormData) => ({ from: Number(said(form, "version")) || 0 });

/**
 * Compiles a definition. Errors of one part go to its fields (the settings if no place is given), all others
 * above the form.
 */
async function besideFields({ house, flow }: Pick<At, "house" | "flow">, place: string, given: unknown): Promise<unknown> {
  try {
    return await definitionFor(house.flows, given, flow.definition);
  } catch (error) {
    if (!(error instanceof Refusal) || Object.keys(error.fields).length === 0) throw error;
    const within = place === "" ? "" : `${place}.`;
    const own = Object.entries(error.fields).filter(([at]) => at.startsWith(within));
    if (own.length === 0) throw error;
    const fields = Object.fromEntries(own.map(([at, sentence]) => [at.slice(within.length).split(".")[0]!, sentence]));
    throw new Refusal("invalid", "Please look at the marked fields.", { fields });
  }
}

/** Compiles a pasted definition; errors are listed with their place. */
export async function besideAll(house: House, given: unknown, flow?: Flow): Promise<unknown> {
  try {
    return await definitionFor(house.flows, given, flow?.definition);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lines = Object.entries(error.fields).map(([at, sentence]) => `${at}: ${sentence}`);
    throw new Refusal("invalid", "Please look at the marked fields.", { fields: { definition: lines.join("\n") || error.message } });
  }
}

async function addItem(at: At): Promise<void> {
  const { house, flow, form } = at;
  const [list, kind] = [said(form, "list"), said(form, "kind", 20)];
  if (!kindsOf(list).includes(kind)) throw notFound();
  const place = `${list}.${sizeOf(flow.definition, list)}`;
  const definition = await besideFields(at, place, putIn(flow.definition, { list }, itemIn(list, kind, form)));
  await changeFlow(house.flows, flow.id, { definition, ...fromIn(form) });
}

async function changeItem(at: At): Promise<void> {
  const { house, flow, form } = at;
  const place = said(form, "place");
  const before = itemAt(flow.definition, place);
  const item = itemIn(place.slice(0, place.lastIndexOf(".")), before.kind, form);
  // Nested steps are edited separately.
  const within = Object.fromEntries(Object.entries(before).filter(([name]) => name === "do" || name === "otherwise"));
  const definition = await besideFields(at, place, putIn(flow.definition, { place }, { ...item, ...within }));
  await changeFlow(house.flows, flow.id, { definition, ...fromIn(form) });
}

const changing =
  (change: (flow: Flow, form: FormData) => unknown) =>
  ({ house, flow, form }: At): Promise<void> =>
    changeFlow(house.flows, flow.id, { definition: change(flow, form), ...fromIn(form) });

async function settings(at: At): Promise<void> {
  const { house, flow, form } = at;
  const roles = said(form, "roles", 2_000)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const given = { ...flow.definition, about: said(form, "about", 600), who: said(form, "who"), rights: said(form, "rights"), roles };
  await changeFlow(house.flows, flow.id, { name: said(form, "name"), definition: await besideFields(at, "", given), ...fromIn(form) });
}

/** Starts it as the admin who pressed the button; returns the page of the run. */
async function activate({ house, viewer, flow, form }: At): Promise<string> {
  const data = jsonIn(form, "data");
  const by = { personId: viewer.id, roles: [], server: false, trusted: true };
  const [runId] = await activateTrigger(house.flows, by, { flow: { id: flow.id }, trigger: { name: said(form, "trigger") }, data });
  return urls.flowRun(flow.id, runId!);
}

/** Commands on an automation, by the form's `intent`; they return the next page, if it is another one. */
export const FLOW_VERBS: Record<string, (at: At) => Promise<string | void>> = {
  settings,
  on: ({ house, flow }) => changeFlow(house.flows, flow.id, { enabled: true }),
  off: ({ house, flow }) => changeFlow(house.flows, flow.id, { enabled: false }),
  add: addItem,
  change: changeItem,
  take: changing(({ definition }, form) => takenFrom(definition, said(form, "place"))),
  up: changing(({ definition }, form) => movedIn(definition, said(form, "place"), "up")),
  down: changing(({ definition }, form) => movedIn(definition, said(form, "place"), "down")),
  async json({ house, flow, form }) {
    const definition = await besideAll(house, jsonIn(form, "definition"), flow);
    await changeFlow(house.flows, flow.id, { definition, ...fromIn(form) });
  },
  activate,
  async remove({ house, flow, form }) {
    if (said(form, "confirm") !== flow.name)
      throw new Refusal("invalid", "Write the name of the automation to take it away.", { fields: { confirm: "That is not its name." } });
    await removeFlow(house.flows, flow.id);
    return urls.flows();
  },
};
