import { z } from "zod";
import { assertChannel, listChannels, ensureChannel } from "#baas/messaging";
import { listPushTemplates as listPushes, savePushTemplate as putPush, TEMPLATE_KINDS } from "#baas/devices";
import { changeAutomation, type Automation, getAutomation, createAutomation } from "#baas/automations";
import {
  createEmailTemplate,
  changeEmailTemplate,
  NewEmailTemplate,
  type EmailTemplate,
  getEmailTemplateByName,
} from "#baas/email";
import { Refusal } from "#platform/refusal";
import { parseInput } from "../parse-input.ts";
import type { Call, Route } from "../rest-route.ts";

/** Named definitions: channels, email and push templates, automations. A read can be sent back unchanged. */
export const definitionManagement: Route[] = [
  { method: "GET", path: "/channels", handle: ({ app, query }) => listChannelNames(app, query) },
  { method: "PUT", path: "/channels", handle: createChannel },
  {
    method: "GET",
    path: "/email-templates/:name",
    handle: async ({ app, params }) =>
      formatEmailTemplate(await getEmailTemplateByName(app.mails, params["name"]!)),
  },
  { method: "PUT", path: "/email-templates/:name", handle: putEmailTemplate },
  {
    method: "GET",
    path: "/push-templates/:name",
    handle: ({ app, params }) => findPushTemplate(app, params["name"]!),
  },
  { method: "PUT", path: "/push-templates/:name", handle: putPushTemplate },
  {
    method: "GET",
    path: "/flows/:name",
    handle: async ({ app, params }) =>
      formatAutomation(await getAutomation(app.flows, { name: params["name"]! })),
  },
  { method: "PUT", path: "/flows/:name", handle: putAutomation },
];

type DefinitionContext = Call["app"];

const PageParams = z.object({ after: z.string().max(100).default("") });

/** A hundred channels by name, after the given one. */
async function listChannelNames({ channels }: DefinitionContext, query: Call["query"]) {
  const { rows } = await listChannels(channels, parseInput(PageParams, query).after);
  return rows.map(({ name, createdAt, usedAt, waiting }) => ({
    name,
    created: createdAt.getTime(),
    used: usedAt.getTime(),
    waiting,
  }));
}

const ChannelBody = z.object({ name: z.string() });

async function createChannel({ app, body }: Call) {
  const { name } = parseInput(ChannelBody, body);
  assertChannel(name);
  await ensureChannel(app.channels, name);
  return { name };
}

const formatEmailTemplate = ({ name, subject, text, html }: EmailTemplate) => ({ name, subject, text, html });

async function putEmailTemplate({ app: { mails }, params, body }: Call) {
  const template = parseInput(NewEmailTemplate, { ...readObject(body), name: params["name"] });
  const known = await getEmailTemplateByName(mails, template.name).catch(nullIfMissing);
  if (known) await changeEmailTemplate(mails, known.id, template);
  else await createEmailTemplate(mails, template);
  return formatEmailTemplate(await getEmailTemplateByName(mails, template.name));
}

const trimmedText = z.string().trim();
const PushTemplateBody = z.object({
  name: trimmedText.regex(
    /^[^\p{Cc}/]{1,100}$/u,
    "must have 1 to 100 characters, without slashes and control characters",
  ),
  os: z.enum(TEMPLATE_KINDS).default("ALL"),
  channel: trimmedText.max(100).nullable().default(null),
  title: trimmedText.max(200).default(""),
  subtitle: trimmedText.max(200).default(""),
  body: trimmedText.min(1, "cannot be empty").max(1_000),
  sound: trimmedText.max(100).default(""),
  badge: z.int().min(0).max(99_999).nullable().default(null),
  headers: z
    .record(z.string().min(1).max(100), z.string().max(1_000))
    .default({})
    .refine((it) => Object.keys(it).length <= 20, "can have at most 20 entries"),
});

async function findPushTemplate({ database }: DefinitionContext, name: string) {
  const found = (await listPushes(database.db)).find((it) => it.name === name);
  if (!found) throw new Refusal("not-found", "There is no push template with this name.");
  const { updatedAt: _when, ...template } = found;
  return template;
}

async function putPushTemplate({ app, params, body }: Call) {
  const template = parseInput(PushTemplateBody, { ...readObject(body), name: params["name"] });
  await app.database.inTransaction((tx) => putPush(tx, template));
  return findPushTemplate(app, template.name);
}

const formatAutomation = ({ name, enabled, definition }: Automation) => ({ name, enabled, definition });
const AutomationBody = z.object({ enabled: z.boolean().optional(), definition: z.unknown().optional() });

/** A new automation is disabled unless stated otherwise; for an existing one, omitted fields are kept. */
async function putAutomation({ app: { flows }, params, body }: Call) {
  const name = params["name"]!;
  const { enabled, definition } = parseInput(AutomationBody, body);
  const known = await getAutomation(flows, { name }).catch(nullIfMissing);
  const id = known?.id ?? (await createAutomation(flows, { name, definition }));
  if (known || enabled)
    await changeAutomation(flows, id, {
      ...(enabled !== undefined && { enabled }),
      ...(known && { definition }),
    });
  return formatAutomation(await getAutomation(flows, { id }));
}

const readObject = (body: unknown): object =>
  typeof body === "object" && body !== null && !Array.isArray(body) ? body : {};

function nullIfMissing(error: unknown): null {
  if (error instanceof Refusal && error.reason === "not-found") return null;
  throw error;
}
