import { z } from "zod";
import { assertChannel, listChannels, makeChannel } from "#backend/channels";
import { listTemplates as listPushes, putTemplate as putPush, TEMPLATE_KINDS } from "#backend/devices";
import { changeFlow, type Flow, flowBy, makeFlow } from "#backend/flows";
import { addTemplate, changeTemplate, NewTemplate, type Template, templateNamed } from "#backend/mails";
import { Refusal } from "#platform/refusal";
import { parsed } from "../parse.ts";
import type { Call, Route } from "../route.ts";

/** Named definitions: channels, email and push templates, automations. A read can be sent back unchanged. */
export const definitionManagement: Route[] = [
  { method: "GET", path: "/channels", handle: ({ house, query }) => channelsOf(house, query) },
  { method: "PUT", path: "/channels", handle: putChannel },
  {
    method: "GET",
    path: "/email-templates/:name",
    handle: async ({ house, params }) => mailOf(await templateNamed(house.mails, params["name"]!)),
  },
  { method: "PUT", path: "/email-templates/:name", handle: putMail },
  { method: "GET", path: "/push-templates/:name", handle: ({ house, params }) => pushNamed(house, params["name"]!) },
  { method: "PUT", path: "/push-templates/:name", handle: putPushTemplate },
  {
    method: "GET",
    path: "/flows/:name",
    handle: async ({ house, params }) => flowOf(await flowBy(house.flows, { name: params["name"]! })),
  },
  { method: "PUT", path: "/flows/:name", handle: putFlow },
];

type House = Call["house"];

const After = z.object({ after: z.string().max(100).default("") });

/** A hundred channels by name, after the given one. */
async function channelsOf({ channels }: House, query: Call["query"]) {
  const { rows } = await listChannels(channels, parsed(After, query).after);
  return rows.map(({ name, createdAt, usedAt, waiting }) => ({ name, created: createdAt.getTime(), used: usedAt.getTime(), waiting }));
}

const Channel = z.object({ name: z.string() });

async function putChannel({ house, body }: Call) {
  const { name } = parsed(Channel, body);
  assertChannel(name);
  await makeChannel(house.channels, name);
  return { name };
}

const mailOf = ({ name, subject, text, html }: Template) => ({ name, subject, text, html });

async function putMail({ house: { mails }, params, body }: Call) {
  const template = parsed(NewTemplate, { ...objectIn(body), name: params["name"] });
  const known = await templateNamed(mails, template.name).catch(unlessMissing);
  if (known) await changeTemplate(mails, known.id, template);
  else await addTemplate(mails, template);
  return mailOf(await templateNamed(mails, template.name));
}

const short = z.string().trim();
const Push = z.object({
  name: short.regex(/^[^\p{Cc}/]{1,100}$/u, "has 1 to 100 characters, no slashes and no control characters"),
  os: z.enum(TEMPLATE_KINDS).default("ALL"),
  channel: short.max(100).nullable().default(null),
  title: short.max(200).default(""),
  subtitle: short.max(200).default(""),
  body: short.min(1, "says something").max(1_000),
  sound: short.max(100).default(""),
  badge: z.int().min(0).max(99_999).nullable().default(null),
  headers: z
    .record(z.string().min(1).max(100), z.string().max(1_000))
    .default({})
    .refine((it) => Object.keys(it).length <= 20, "are 20 at the most"),
});

async function pushNamed({ database }: House, name: string) {
  const found = (await listPushes(database.db)).find((it) => it.name === name);
  if (!found) throw new Refusal("not-found", "There is no push template of this name.");
  const { updatedAt: _when, ...template } = found;
  return template;
}

async function putPushTemplate({ house, params, body }: Call) {
  const template = parsed(Push, { ...objectIn(body), name: params["name"] });
  await house.database.inTransaction((tx) => putPush(tx, template));
  return pushNamed(house, template.name);
}

const flowOf = ({ name, enabled, definition }: Flow) => ({ name, enabled, definition });
const FlowForm = z.object({ enabled: z.boolean().optional(), definition: z.unknown().optional() });

/** A new automation is disabled unless stated otherwise; for an existing one, omitted fields are kept. */
async function putFlow({ house: { flows }, params, body }: Call) {
  const name = params["name"]!;
  const { enabled, definition } = parsed(FlowForm, body);
  const known = await flowBy(flows, { name }).catch(unlessMissing);
  const id = known?.id ?? (await makeFlow(flows, { name, definition }));
  if (known || enabled) await changeFlow(flows, id, { ...(enabled !== undefined && { enabled }), ...(known && { definition }) });
  return flowOf(await flowBy(flows, { id }));
}

const objectIn = (body: unknown): object => (typeof body === "object" && body !== null && !Array.isArray(body) ? body : {});

function unlessMissing(error: unknown): null {
  if (error instanceof Refusal && error.reason === "not-found") return null;
  throw error;
}
