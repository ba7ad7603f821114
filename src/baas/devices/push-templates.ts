import { assertChannel, type MessageInfo } from "#baas/messaging";
import { type Db, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { notFound, Refusal } from "#platform/refusal";
import { z } from "zod";
import type { PushContent } from "./push-content.ts";
import type { Devices } from "./devices.ts";
import { fitsEveryProvider } from "./push-payloads.ts";
import { insertPush, type PushTarget, PUSH_TOO_LONG } from "./push-queue.ts";

const MAX_TEMPLATES = 200;
export const TEMPLATE_KINDS = ["ALL", "IOS", "ANDROID", "WEB"] as const;
export type TemplateKind = (typeof TEMPLATE_KINDS)[number];
const SYSTEMS_BY_KIND: Record<TemplateKind, string[] | null> = {
  ALL: null,
  IOS: ["IOS", "IPADOS"],
  ANDROID: ["ANDROID"],
  WEB: ["WEB", "BROWSER"],
};

/** A push template, sent by name. `{…}` are placeholders, filled by the sender. */
export type NewTemplate = {
  name: string;
  os: TemplateKind;
  /** Channel whose devices receive the push; null for all. */
  channel: string | null;
  title: string;
  subtitle: string;
  body: string;
  sound: string;
  badge: number | null;
  /** Headers for the app on the device. */
  headers: Record<string, string>;
};
export type PushTemplate = NewTemplate & { updatedAt: Date };

/**
 * Saves a template, replacing an earlier one of the same name.
 * @throws `invalid` or `not-allowed` for the channel, `too-large` when there are too many
 */
export async function savePushTemplate(
  tx: Tx,
  { name, os, channel, title, subtitle, body, sound, badge, headers }: NewTemplate,
): Promise<void> {
  if (channel !== null) assertChannel(channel);
  const kept = await run(
    tx,
    sql`
      insert into push_templates (name, os, channel, title, subtitle, body, sound, badge, headers, created_at,
        updated_at)
      select ${name}, ${os}, ${channel}, ${title}, ${subtitle}, ${body}, ${sound}, ${badge},
        ${JSON.stringify(headers)}, ${tx.now}, ${tx.now}
      where (select count(*) from push_templates where name <> ${name}) < ${MAX_TEMPLATES}
      on conflict (name) do update set os = excluded.os, channel = excluded.channel, title = excluded.title,
        subtitle = excluded.subtitle,
        body = excluded.body, sound = excluded.sound, badge = excluded.badge, headers = excluded.headers,
        updated_at = excluded.updated_at`,
  );
  if (kept === 0)
    throw new Refusal(
      "too-large",
      msg("There are {count} push templates, the maximum.", { count: MAX_TEMPLATES }),
    );
}

/**
 * Deletes a template.
 * @throws `not-found`
 */
export async function deletePushTemplate(tx: Tx, name: string): Promise<void> {
  if ((await run(tx, sql`delete from push_templates where name = ${name}`)) === 0) throw notFound();
}

const TEMPLATE_COLUMNS = sql`name, os, channel, title, subtitle, body, sound, badge, headers,
  updated_at as "updatedAt"`;

export const listPushTemplates = (db: Db): Promise<PushTemplate[]> =>
  many(
    db,
    sql<PushTemplate>`select ${TEMPLATE_COLUMNS} from push_templates order by name ${limit(MAX_TEMPLATES)}`,
  );

/**
 * Returns the templates for a kind of device by name, as the API returns them.
 * @throws `invalid` for an unknown kind
 */
export async function getPushTemplates(
  { db }: Pick<Devices, "db">,
  kind: string,
): Promise<Record<string, object>> {
  const wanted = TEMPLATE_KINDS.find((it) => it === kind.toUpperCase());
  if (!wanted)
    throw new Refusal(
      "invalid",
      msg("The device type must be one of {templateKinds}.", { templateKinds: TEMPLATE_KINDS.join(", ") }),
      {
        kind: "bad-body",
      },
    );
  const all = await listPushTemplates(db);
  return Object.fromEntries(
    all
      .filter(({ os }) => wanted === "ALL" || os === "ALL" || os === wanted)
      .map((it) => [it.name, toApiTemplate(it)]),
  );
}

const toApiTemplate = ({
  name,
  os,
  channel,
  title,
  subtitle,
  body,
  sound,
  badge,
  headers,
}: PushTemplate) => ({
  name,
  type: os,
  channel,
  title,
  subtitle,
  message: body,
  sound,
  badge,
  customHeaders: headers,
});

/** Values of placeholders, by name. */
export const TemplateValues = z
  .record(
    z.string().max(100),
    z.union(
      [z.string().max(1_000, "can have at most 1000 characters"), z.number(), z.boolean()],
      "must be a string",
    ),
    "must be an object",
  )
  .nullish()
  .transform((values) => values ?? {})
  .refine((values) => Object.keys(values).length <= 100, "can have at most 100 entries");
type Values = z.output<typeof TemplateValues>;

/**
 * Pushes a template to all its devices, or to one of them.
 * @throws `not-found` for an unknown name, `invalid` for a missing value, `too-large` for a push that is too
 * long
 */
export async function pushTemplate(
  devices: Devices,
  name: string,
  values: Values,
  onlyTo?: string,
): Promise<MessageInfo> {
  const template = await maybeOne(
    devices.db,
    sql<PushTemplate>`select ${TEMPLATE_COLUMNS} from push_templates where name = ${name}`,
  );
  if (!template) throw new Refusal("not-found", "There is no push template with this name.");
  return devices.inTransaction(async (tx) => {
    const content = fillTemplate(template, values, tx.newId());
    if (!fitsEveryProvider(content, tx.now)) throw new Refusal("too-large", PUSH_TOO_LONG);
    await insertPush(tx, { content, alone: true, target: createTarget(template, onlyTo) });
    return { messageId: content.messageId, status: "scheduled", errorMessage: null };
  });
}

const createTarget = ({ channel, os }: PushTemplate, onlyTo: string | undefined): PushTarget =>
  onlyTo === undefined
    ? { channel, broad: true, oses: SYSTEMS_BY_KIND[os], deviceIds: [] }
    : { channel: null, broad: false, oses: null, deviceIds: [onlyTo] };

function fillTemplate(
  { name, channel, title, subtitle, body, sound, badge, headers }: PushTemplate,
  values: Values,
  messageId: string,
): PushContent {
  const fill = (it: string) =>
    it.replaceAll(/\{([\w.]{1,100})\}/g, (_blank, of: string) => {
      if (Object.hasOwn(values, of)) return String(values[of]);
      throw new Refusal("invalid", msg("templateValues: {{of}} is missing.", { of }), { kind: "bad-body" });
    });
  const own = Object.fromEntries(Object.entries(headers).map(([header, value]) => [header, fill(value)]));
  const [t, s, b] = [fill(title) || null, fill(subtitle) || null, fill(body)];
  return {
    messageId,
    repeats: false,
    apple: { title: t, subtitle: s, body: b, badge, sound: sound || null },
    android: { title: t, body: b, ticker: null, action: null, sound: sound || null },
    data: { ...own, message: b, template_name: name, messageId, ...(channel !== null && { channel }) },
  };
}
