import {
  type EmailContext,
  fillPlaceholders,
  type FoundRecipient,
  type EmailInfo,
  readAttachments,
  type EmailSender,
  type PlaceholderValues,
  sendEmail,
  getEmailTemplateByName,
} from "#baas/email";
import { findIds, withTable } from "#baas/data";
import { listApiMailRecipients } from "#community/mail";
import { apiClientRules } from "#community/rules";
import { HOSTED_DEFAULTS_HINT, parseMailRoles } from "#community/settings";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import { toTableCaller } from "../data/data-routes.ts";
import type { Call } from "../rest-route.ts";
import type { EmailRequest } from "./email-schemas.ts";

type EmailCaller = Pick<Call, "app" | "caller">;

/** Maximum people that one condition may find. */
const MAX_FOUND = 5_000;

/** The sender of a call's mail. */
export const getEmailSender = ({ caller: { key, viewer } }: Pick<Call, "caller">): EmailSender => ({
  personId: viewer.id,
  trusted: key === "server" || viewer.role === "admin",
});

/**
 * Refuses callers who may not send email. With `fromTemplate` the email is made from a template, which more
 * callers may send.
 * @throws `not-allowed`
 */
async function assertMaySendEmail(
  { app, caller: { key, viewer, roles } }: EmailCaller,
  fromTemplate: boolean,
): Promise<void> {
  const { apiDefaults, mailRoles } = await app.settings.get();
  if (apiClientRules.sendMail(viewer, { roles, named: parseMailRoles(mailRoles) }, key === "server")) return;
  if (fromTemplate && apiClientRules.sendTemplate(viewer, apiDefaults)) return;
  const sentence = "Email can be sent with the server key, by admins, and by the roles chosen by admins.";
  throw new Refusal(
    "not-allowed",
    fromTemplate && apiDefaults !== "hosted"
      ? msg("{why} {hint}", { why: sentence, hint: HOSTED_DEFAULTS_HINT })
      : sentence,
  );
}

export const assertMaySendText = (by: EmailCaller) => assertMaySendEmail(by, false);
export const assertMaySendTemplate = (by: EmailCaller) => assertMaySendEmail(by, true);

/**
 * Sends an email as the caller. Criteria find only people the caller may see; attachments must be readable
 * for the caller.
 * @throws `too-large` for criteria that find too many people, and the errors of attachments, permissions and
 * sending
 */
export async function sendEmailFor(
  by: EmailCaller,
  { words, criteria, attachments: paths, ...wanted }: EmailRequest,
): Promise<EmailInfo> {
  const { app } = by;
  await assertMaySendEmail(by, "template" in words);
  const { content, template } =
    "template" in words
      ? await fillTemplate(app.mails, words.template, words.values)
      : { content: words, template: null };
  const people = criteria === null ? [] : await findRecipients(by, criteria);
  const attachments = await readAttachments(app.files, toFileCaller(by), paths);
  const info = await sendEmail(app.mails, getEmailSender(by), {
    ...wanted,
    ...content,
    people,
    attachments,
    template,
  });
  app.log.info({ messageId: info.messageId, personId: by.caller.viewer.id }, "an API client sends email");
  return info;
}

async function fillTemplate(mails: EmailContext, name: string, values: PlaceholderValues) {
  const template = await getEmailTemplateByName(mails, name);
  return { content: fillPlaceholders(template, values), template: template.name };
}

/** The caller in the form that files take. An extension acts as the person it runs for. */
const toFileCaller = ({ caller: { key, viewer, roles } }: EmailCaller) => ({
  userId: viewer.id,
  roles,
  server: key === "server",
});

/** Finds people who match a condition on Users, accept email, and are visible to the caller. */
async function findRecipients({ app, caller }: EmailCaller, where: string): Promise<FoundRecipient[]> {
  const ids = await withTable(app.tables, "Users", (users) =>
    findIds(app.tables, toTableCaller({ caller }), users, { where }, MAX_FOUND + 1),
  );
  if (ids.length > MAX_FOUND)
    throw new Refusal(
      "too-large",
      msg("These criteria match more than {count} people: narrow them.", { count: MAX_FOUND }),
      {
        kind: "mail-too-large",
      },
    );
  return listApiMailRecipients({ db: app.database.db, signer: app.signer, origin: app.origin }, ids);
}
