import { redirect } from "react-router";
import { z } from "zod";
import { acceptInvitation, joinGroup } from "#community/groups";
import { DigestSettings, saveDigestSettings } from "#community/notifications";
import {
  acceptRules,
  DisplaySettingsInput,
  finishWelcome,
  MAIL_LEVELS,
  createProfilePictureStore,
  ProfileInput,
  setMailLevel,
  updateDisplay,
  updateProfile,
} from "#community/accounts";
import type { SignedIn } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { withPrefixedFields } from "../account/settings/prefixed-fields.ts";
import { parseForm } from "../form-parsing.ts";
import { invitationToken } from "../groups/join/find-invitation.ts";
import { urls } from "../urls.ts";
import type { RequestContext } from "../request-context.ts";
import { findWelcomeDestination } from "./welcome-destination.ts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData; next: string };

async function saveName({ ctx, me, form, next }: CommandInput) {
  const { app } = ctx;
  const about = parseForm(ProfileInput.pick({ name: true }), form);
  const picture = form.get("picture");
  if (picture instanceof File && picture.size > 0)
    await createProfilePictureStore(app).setPhoto(me, me.id, {
      bytes: Buffer.from(await picture.arrayBuffer()),
      alt: about.name,
    });
  // The browser's time zone; only used if the person has not chosen one yet.
  const zone =
    ctx.timeZone === "UTC"
      ? DisplaySettingsInput.pick({ timeZone: true }).safeParse({ timeZone: form.get("timeZone") }).data
      : undefined;
  await app.database.inTransaction(async (tx) => {
    await updateProfile(tx, me, me.id, about);
    if (zone) await updateDisplay(tx, me, me.id, zone);
  });
  return redirect(urls.welcome({ step: 2, next }));
}

async function acceptWelcomeRules({ ctx, me, form, next }: CommandInput) {
  const { version } = parseForm(z.object({ version: z.coerce.number().int().min(1) }), form);
  const { rulesVersion } = await ctx.app.settings.get();
  if (version !== rulesVersion)
    throw new Refusal("conflict", "The rules have changed. This is the current version.");
  await ctx.app.database.inTransaction((tx) => acceptRules(tx, me, version));
  return redirect(urls.welcome({ step: 3, next }));
}

const MAX_GROUPS_AT_ONCE = 24;

/**
 * Each group is joined in its own transaction, so that a group that has changed meanwhile does not prevent
 * joining the others.
 */
async function joinChosenGroups({ ctx, me, form, next }: CommandInput) {
  const { groups: chosen } = parseForm(
    z.object({ groups: z.array(z.uuid()).max(MAX_GROUPS_AT_ONCE).default([]) }),
    form,
  );
  const token = form.has("accept") ? invitationToken(next) : undefined;
  const joining = chosen.map(
    (groupId) =>
      (tx: Tx): Promise<unknown> =>
        joinGroup(tx, me, { groupId }),
  );
  if (token) joining.unshift((tx) => acceptInvitation(tx, me, { token, answers: [] }));
  let missed = 0;
  for (const join of joining) {
    try {
      await ctx.app.database.inTransaction(join);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      if (error.reason !== "conflict") missed += 1;
    }
  }
  return redirect(urls.welcome({ step: 4, next, missed: missed > 0 ? String(missed) : undefined }));
}

async function saveMailSettings({ ctx, me, form, next }: CommandInput) {
  const { level } = parseForm(
    z.object({ level: z.enum(MAIL_LEVELS, "Choose how much email you want.") }),
    form,
  );
  const digest = await withPrefixedFields("digest", form, async (fields) =>
    parseForm(DigestSettings, fields),
  );
  await ctx.app.database.inTransaction(async (tx) => {
    await setMailLevel(tx, me, level);
    await saveDigestSettings(tx, me, digest);
    await finishWelcome(tx, me);
  });
  return redirect(await findWelcomeDestination(ctx.app, me, next, ctx.now));
}

async function skipWelcome({ ctx, me, next }: CommandInput) {
  await ctx.app.database.inTransaction((tx) => finishWelcome(tx, me));
  return redirect(await findWelcomeDestination(ctx.app, me, next, ctx.now));
}

export const welcomeCommands: Record<string, (input: CommandInput) => Promise<Response>> = {
  name: saveName,
  rules: acceptWelcomeRules,
  groups: joinChosenGroups,
  mail: saveMailSettings,
  "skip-all": skipWelcome,
};
