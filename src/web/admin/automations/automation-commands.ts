import {
  activateTrigger,
  changeAutomation,
  checkDefinition,
  type Automation,
  findItem,
  moveItem,
  insertItem,
  deleteAutomation,
  countItems,
  removeItem,
} from "#baas/automations";
import type { SignedIn } from "#community/rules";
import { joinLines, msg, toDescriptor } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { cleanText } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { urls } from "../../urls.ts";
import { parseItemForm, parseJsonField } from "./parse-automation-form.ts";
import { itemKinds } from "./automation-form-fields.ts";

type AutomationInput = {
  app: Pick<WebContext, "database" | "flows">;
  viewer: SignedIn;
  flow: Automation;
  form: FormData;
};

const readText = (form: FormData, name: string, most = 200) =>
  cleanText(String(form.get(name) ?? ""))
    .trim()
    .slice(0, most);

/** Reads the version of the automation that the form was rendered from. */
const readVersion = (form: FormData) => ({ from: Number(readText(form, "version")) || 0 });

/**
 * Compiles a definition. Errors in the part at `place` (the settings if `place` is empty) are shown beside
 * its fields, errors in other parts above the form.
 */
async function compileWithFieldErrors(
  { app, flow }: Pick<AutomationInput, "app" | "flow">,
  place: string,
  input: unknown,
): Promise<unknown> {
  try {
    return await checkDefinition(app.flows, input, flow.definition);
  } catch (error) {
    if (!(error instanceof Refusal) || Object.keys(error.fields).length === 0) throw error;
    const within = place === "" ? "" : `${place}.`;
    const own = Object.entries(error.fieldDescriptors).filter(([at]) => at.startsWith(within));
    if (own.length === 0) throw error;
    const fields = Object.fromEntries(
      own.map(([at, sentence]) => [at.slice(within.length).split(".")[0]!, sentence]),
    );
    throw new Refusal("invalid", "Check the marked fields.", { fields });
  }
}

/** Compiles a pasted definition; each error is listed with its position. */
export async function compileWithErrorPaths(
  app: Pick<WebContext, "flows">,
  input: unknown,
  flow?: Automation,
): Promise<unknown> {
  try {
    return await checkDefinition(app.flows, input, flow?.definition);
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const lines = Object.entries(error.fieldDescriptors).map(([place, what]) =>
      msg("{place}: {what}", { place, what: toDescriptor(what) }),
    );
    throw new Refusal("invalid", "Check the marked fields.", {
      fields: { definition: lines.length > 0 ? joinLines(lines) : error.descriptor },
    });
  }
}

async function addItem(at: AutomationInput): Promise<void> {
  const { app, flow, form } = at;
  const [list, kind] = [readText(form, "list"), readText(form, "kind", 20)];
  if (!itemKinds(list).includes(kind)) throw notFound();
  const place = `${list}.${countItems(flow.definition, list)}`;
  const definition = await compileWithFieldErrors(
    at,
    place,
    insertItem(flow.definition, { list }, parseItemForm(list, kind, form)),
  );
  await changeAutomation(app.flows, flow.id, { definition, ...readVersion(form) });
}

async function changeItem(at: AutomationInput): Promise<void> {
  const { app, flow, form } = at;
  const place = readText(form, "place");
  const before = findItem(flow.definition, place);
  const item = parseItemForm(place.slice(0, place.lastIndexOf(".")), before.kind, form);
  // Nested steps are edited separately, so they are copied unchanged.
  const within = Object.fromEntries(
    Object.entries(before).filter(([name]) => name === "do" || name === "otherwise"),
  );
  const definition = await compileWithFieldErrors(
    at,
    place,
    insertItem(flow.definition, { place }, { ...item, ...within }),
  );
  await changeAutomation(app.flows, flow.id, { definition, ...readVersion(form) });
}

const changeCommand =
  (change: (flow: Automation, form: FormData) => unknown) =>
  ({ app, flow, form }: AutomationInput): Promise<void> =>
    changeAutomation(app.flows, flow.id, { definition: change(flow, form), ...readVersion(form) });

async function settings(at: AutomationInput): Promise<void> {
  const { app, flow, form } = at;
  const roles = readText(form, "roles", 2_000)
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  const input = {
    ...flow.definition,
    about: readText(form, "about", 600),
    who: readText(form, "who"),
    rights: readText(form, "rights"),
    roles,
  };
  await changeAutomation(app.flows, flow.id, {
    name: readText(form, "name"),
    definition: await compileWithFieldErrors(at, "", input),
    ...readVersion(form),
  });
}

/** Starts the automation as the admin who pressed the button; returns the address of the run's page. */
async function activate({ app, viewer, flow, form }: AutomationInput): Promise<string> {
  const data = parseJsonField(form, "data");
  const by = { personId: viewer.id, roles: [], server: false, trusted: true };
  const [runId] = await activateTrigger(app.flows, by, {
    flow: { id: flow.id },
    trigger: { name: readText(form, "trigger") },
    data,
  });
  return urls.flowRun(flow.id, runId!);
}

/**
 * Commands on an automation, by the form's `intent`; each returns the address of the next page, if it is
 * another one.
 */
export const AUTOMATION_COMMANDS: Record<string, (at: AutomationInput) => Promise<string | void>> = {
  settings,
  on: ({ app, flow }) => changeAutomation(app.flows, flow.id, { enabled: true }),
  off: ({ app, flow }) => changeAutomation(app.flows, flow.id, { enabled: false }),
  add: addItem,
  change: changeItem,
  "remove-item": changeCommand(({ definition }, form) => removeItem(definition, readText(form, "place"))),
  up: changeCommand(({ definition }, form) => moveItem(definition, readText(form, "place"), "up")),
  down: changeCommand(({ definition }, form) => moveItem(definition, readText(form, "place"), "down")),
  async json({ app, flow, form }) {
    const definition = await compileWithErrorPaths(app, parseJsonField(form, "definition"), flow);
    await changeAutomation(app.flows, flow.id, { definition, ...readVersion(form) });
  },
  activate,
  async remove({ app, flow, form }) {
    if (readText(form, "confirm") !== flow.name)
      throw new Refusal("invalid", "Type the name of the automation to delete it.", {
        fields: { confirm: "The name does not match." },
      });
    await deleteAutomation(app.flows, flow.id);
    return urls.flows();
  },
};
