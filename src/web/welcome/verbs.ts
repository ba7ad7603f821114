import { redirect } from "react-router";
import { z } from "zod";
import { acceptInvitation, joinGroup } from "#community/groups";
import { Digest, saveDigest } from "#community/notifications";
import {
  acceptRules,
  DisplayForm,
  finishWelcome,
  MAIL_LEVELS,
  openPictures,
  ProfileForm,
  setMailLevel,
  updateDisplay,
  updateProfile,
} from "#community/people";
import type { SignedIn } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { under } from "../account/settings/under.ts";
import { parseForm } from "../forms.ts";
import { invitationIn } from "../groups/invitation-at.ts";
import { urls } from "../urls.ts";
import type { Visit } from "../visit.ts";
import { landingFor } from "./landing.ts";

type Asked = { visit: Visit; me: SignedIn; form: FormData; next: string };

async function name({ visit, me, form, next }: Asked) {
  const { house } = visit;
  const about = parseForm(ProfileForm.pick({ name: true }), form);
  const picture = form.get("picture");
  if (picture instanceof File && picture.size > 0)
    await openPictures(house).setPhoto(me, me.id, { bytes: Buffer.from(await picture.arrayBuffer()), alt: about.name });
  // The browser's time zone, if the person has not chosen one yet.
  const zone =
    visit.timeZone === "UTC" ? DisplayForm.pick({ timeZone: true }).safeParse({ timeZone: form.get("timeZone") }).data : undefined;
  await house.database.inTransaction(async (tx) => {
    await updateProfile(tx, me, me.id, about);
    if (zone) await updateDisplay(tx, me, me.id, zone);
  });
  return redirect(urls.welcome({ step: 2, next }));
}

async function rules({ visit, me, form, next }: Asked) {
  const { version } = parseForm(z.object({ version: z.coerce.number().int().min(1) }), form);
  const { rulesVersion } = await visit.house.settings.get();
  if (version !== rulesVersion) throw new Refusal("conflict", "The rules have changed while you read. Here they are as they stand now.");
  await visit.house.database.inTransaction((tx) => acceptRules(tx, me, version));
  return redirect(urls.welcome({ step: 3, next }));
}

const MOST_AT_ONCE = 24;

/** One transaction per group: a group that has changed meanwhile does not prevent joining the others. */
async function groups({ visit, me, form, next }: Asked) {
  const { groups: chosen } = parseForm(z.object({ groups: z.array(z.uuid()).max(MOST_AT_ONCE).default([]) }), form);
  const token = form.has("accept") ? invitationIn(next) : undefined;
  const joining = chosen.map(
    (groupId) =>
      (tx: Tx): Promise<unknown> =>
        joinGroup(tx, me, { groupId }),
  );
  if (token) joining.unshift((tx) => acceptInvitation(tx, me, { token, answers: [] }));
  let missed = 0;
  for (const join of joining) {
    try {
      await visit.house.database.inTransaction(join);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.reason !== "conflict") missed += 1;
    }
  }
  return redirect(urls.welcome({ step: 4, next, missed: missed > 0 ? String(missed) : undefined }));
}

async function mail({ visit, me, form, next }: Asked) {
  const { level } = parseForm(z.object({ level: z.enum(MAIL_LEVELS, "Choose one of the three.") }), form);
  const digest = await under("digest", form, async (fields) => parseForm(Digest, fields));
  await visit.house.database.inTransaction(async (tx) => {
    await setMailLevel(tx, me, level);
    await saveDigest(tx, me, digest);
    await finishWelcome(tx, me);
  });
  return redirect(await landingFor(visit.house, me, next, visit.now));
}

async function skipAll({ visit, me, next }: Asked) {
  await visit.house.database.inTransaction((tx) => finishWelcome(tx, me));
  return redirect(await landingFor(visit.house, me, next, visit.now));
}

export const welcomeVerbs: Record<string, (asked: Asked) => Promise<Response>> = { name, rules, groups, mail, "skip-all": skipAll };
