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
import { defineEndpoint, parsedByHandler } from "../endpoint.ts";
import { parseInput } from "../parse-input.ts";
import type { RestContext } from "../rest-route.ts";

const PageParams = z.object({ after: z.string().max(100).default("") });
const ChannelBody = z.object({ name: z.string() });
const AutomationBody = z.object({ enabled: z.boolean().optional(), definition: z.unknown().optional() });
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

const ChannelList = z.array(
  z.object({ name: z.string(), created: z.int(), used: z.int(), waiting: z.int() }),
);
const AutomationAnswer = z.object({ name: z.string(), enabled: z.boolean(), definition: z.looseObject({}) });

const params = { name: "frost" };
const welcome = {
  triggers: [{ kind: "call", name: "start" }],
  steps: [{ kind: "set", as: "said", value: "Hello" }],
};

/**
 * Management of named definitions: channels, email and push templates, automations. What a GET returns can
 * be sent back with PUT unchanged.
 */
export const definitionManagementEndpoints = [
  defineEndpoint({
    method: "GET",
    path: "/channels",
    summary: "Lists a hundred channels by name, after the given one.",
    query: PageParams,
    response: ChannelList,
    example: { query: { after: "a" } },
    handle: ({ app, query }) => listChannelNames(app, query.after),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/channels",
    summary: "Creates a channel.",
    body: ChannelBody,
    response: ChannelBody,
    example: { body: { name: "garden" } },
    handle: ({ app, body: { name } }) => createChannel(app, name),
  }),
  defineEndpoint({
    method: "GET",
    path: "/email-templates/:name",
    summary: "Returns an email template.",
    response: NewEmailTemplate,
    example: { params },
    handle: async ({ app, params: { name } }) =>
      formatEmailTemplate(await getEmailTemplateByName(app.mails, name)),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/email-templates/:name",
    summary: "Creates or changes an email template.",
    body: parsedByHandler(NewEmailTemplate.omit({ name: true })),
    response: NewEmailTemplate,
    example: { params, body: { subject: "Frost", text: "Hello {{name}}" } },
    handle: ({ app, params: { name }, body }) => putEmailTemplate(app, name, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/push-templates/:name",
    summary: "Returns a push template.",
    response: PushTemplateBody,
    example: { params },
    handle: ({ app, params: { name } }) => findPushTemplate(app, name),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/push-templates/:name",
    summary: "Creates or changes a push template.",
    body: parsedByHandler(PushTemplateBody.omit({ name: true })),
    response: PushTemplateBody,
    example: { params, body: { title: "Frost", body: "Close the windows" } },
    handle: ({ app, params: { name }, body }) => putPushTemplate(app, name, body),
  }),
  defineEndpoint({
    method: "GET",
    path: "/flows/:name",
    summary: "Returns an automation with its definition.",
    response: AutomationAnswer,
    example: { params: { name: "welcome" } },
    handle: async ({ app, params: { name } }) => formatAutomation(await getAutomation(app.flows, { name })),
  }),
  defineEndpoint({
    method: "PUT",
    path: "/flows/:name",
    summary: "Creates an automation, off unless you enable it, or changes the given fields of one.",
    body: AutomationBody,
    response: AutomationAnswer,
    example: { params: { name: "goodbye" }, body: { enabled: true, definition: welcome } },
    handle: ({ app, params: { name }, body }) => putAutomation(app, name, body),
  }),
];

/** Lists the next hundred channel names after a given one. */
async function listChannelNames({ channels }: Pick<RestContext, "channels">, after: string) {
  const { rows } = await listChannels(channels, after);
  return rows.map(({ name, createdAt, usedAt, waiting }) => ({
    name,
    created: createdAt.getTime(),
    used: usedAt.getTime(),
    waiting,
  }));
}

async function createChannel(app: Pick<RestContext, "channels">, name: string) {
  assertChannel(name);
  await ensureChannel(app.channels, name);
  return { name };
}

const formatEmailTemplate = ({ name, subject, text, html }: EmailTemplate) => ({ name, subject, text, html });

async function putEmailTemplate({ mails }: Pick<RestContext, "mails">, name: string, body: unknown) {
  const template = parseInput(NewEmailTemplate, { ...readObject(body), name });
  const known = await getEmailTemplateByName(mails, template.name).catch(nullIfMissing);
  if (known) await changeEmailTemplate(mails, known.id, template);
  else await createEmailTemplate(mails, template);
  return formatEmailTemplate(await getEmailTemplateByName(mails, template.name));
}

async function findPushTemplate({ database }: Pick<RestContext, "database">, name: string) {
  const found = (await listPushes(database.db)).find((it) => it.name === name);
  if (!found) throw new Refusal("not-found", "There is no push template with this name.");
  const { updatedAt: _when, ...template } = found;
  return template;
}

async function putPushTemplate(app: Pick<RestContext, "database">, name: string, body: unknown) {
  const template = parseInput(PushTemplateBody, { ...readObject(body), name });
  await app.database.inTransaction((tx) => putPush(tx, template));
  return findPushTemplate(app, template.name);
}

const formatAutomation = ({ name, enabled, definition }: Automation) => ({ name, enabled, definition });

/** A new automation is disabled unless stated otherwise; for an existing one, omitted fields are kept. */
async function putAutomation(
  { flows }: Pick<RestContext, "flows">,
  name: string,
  { enabled, definition }: z.output<typeof AutomationBody>,
) {
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
