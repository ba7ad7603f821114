import { filled, type Found, type MailInfo, readAttachments, type Sender, sendMail, templateNamed } from "#backend/mails";
import { findIds, onTable } from "#backend/tables";
import { recipientsOfPrograms } from "#community/mailing";
import { programRules } from "#community/rules";
import { HOSTED_ALLOWS, mailRolesIn } from "#community/settings";
import { Refusal } from "#platform/refusal";
import { asTableCaller } from "../data.ts";
import type { Call } from "../route.ts";
import type { Wanted } from "./forms.ts";

type By = Pick<Call, "house" | "caller">;

/** Maximum people one condition may find. */
const MOST_FOUND = 5_000;

/** The sender of a call's mail. */
export const senderIn = ({ caller: { key, viewer } }: Pick<Call, "caller">): Sender => ({
  personId: viewer.id,
  trusted: key === "server" || viewer.role === "admin",
});

/**
 * @throws `not-allowed` for callers who may not send mail; template mails (`fromTemplate`) are allowed to
 * more
 */
async function assertMayMail({ house, caller: { key, viewer, roles } }: By, fromTemplate: boolean): Promise<void> {
  const { apiDefaults, mailRoles } = await house.settings.get();
  if (programRules.sendMail(viewer, { roles, named: mailRolesIn(mailRoles) }, key === "server")) return;
  if (fromTemplate && programRules.sendTemplate(viewer, apiDefaults)) return;
  const sentence = "Mail is sent with the server key here, by admins, and by the roles that they have named.";
  throw new Refusal("not-allowed", fromTemplate && apiDefaults !== "hosted" ? `${sentence} ${HOSTED_ALLOWS}` : sentence);
}

export const assertMayMailText = (by: By) => assertMayMail(by, false);
export const assertMayMailTemplate = (by: By) => assertMayMail(by, true);

/**
 * Sends a mail as the caller: criteria find people the caller may see, and attachments must be readable.
 * @throws as its parts do, and `too-large` for criteria that find too many
 */
export async function sendFor(by: By, { words, criteria, attachments: paths, ...wanted }: Wanted): Promise<MailInfo> {
  const { house } = by;
  await assertMayMail(by, "template" in words);
  const template = "template" in words ? await templateNamed(house.mails, words.template) : null;
  const said = template && "values" in words ? filled(template, words.values) : (words as Exclude<Wanted["words"], { template: string }>);
  const people = criteria === null ? [] : await peopleWho(by, criteria);
  const attachments = await readAttachments(house.files, asReader(by), paths);
  const info = await sendMail(house.mails, senderIn(by), { ...wanted, ...said, people, attachments, template: template?.name ?? null });
  house.log.info({ messageId: info.messageId, personId: by.caller.viewer.id }, "a program has mail sent");
  return info;
}

/** The caller as files know one: a person even when an extension acts for them. */
const asReader = ({ caller: { key, viewer, roles } }: By) => ({ userId: viewer.id, roles, server: key === "server" });

/** People meeting a condition on Users whom the caller may find and who accept mail. */
async function peopleWho({ house, caller }: By, where: string): Promise<Found[]> {
  const ids = await onTable(house.tables, "Users", (users) =>
    findIds(house.tables, asTableCaller({ caller }), users, { where }, MOST_FOUND + 1),
  );
  if (ids.length > MOST_FOUND)
    throw new Refusal("too-large", `These criteria find more than ${MOST_FOUND} people: write to fewer at a time.`, {
      kind: "mail-too-large",
    });
  return recipientsOfPrograms({ db: house.database.db, signer: house.signer, origin: house.origin }, ids);
}
