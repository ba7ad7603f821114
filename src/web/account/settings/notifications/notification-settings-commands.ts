import { redirect } from "react-router";
import { z } from "zod";
import { setFollowLevel } from "#community/discussions";
import { setNotifyLevel } from "#community/groups";
import {
  changeMailLevel,
  DigestSettings,
  PauseInput,
  pauseNotifications,
  QuietHoursInput,
  saveKindChoices,
  saveDigestSettings,
  saveQuietHours,
  saveSenderFolder,
} from "#community/notifications";
import { MAIL_LEVELS } from "#community/accounts";
import { NOTIFICATION_KINDS, type SignedIn } from "#community/rules";
import { parseForm } from "../../../form-parsing.ts";
import { urls } from "../../../urls.ts";
import type { RequestContext } from "../../../request-context.ts";
import { withPrefixedFields } from "../prefixed-fields.ts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };
type DatabaseTransaction = Parameters<Parameters<RequestContext["app"]["database"]["inTransaction"]>[0]>[0];

const FOLLOW = ["watching", "tracking", "normal", "muted"] as const;
/** Any other value, which the page never sends, means the default level. */
const Level = z.enum(["all", "highlights", "mentions", "mute"]).catch("highlights");

/** Confirms a saved form: in place if it was sent on a change, else by a redirect to its section. */
const confirmSaved = (me: SignedIn, form: FormData, intent: string) =>
  form.has("on-change")
    ? { saved: intent }
    : redirect(urls.settings(me.id, "notifications", intent, { saved: intent }));

/** Creates a command that saves a form in a transaction and confirms it. */
const createSaveCommand =
  (intent: string, save: (tx: DatabaseTransaction, me: SignedIn, fields: FormData) => Promise<unknown>) =>
  async ({ ctx, me, form }: CommandInput) => {
    await withPrefixedFields(intent, form, (fields) =>
      ctx.app.database.inTransaction((tx) => save(tx, me, fields)),
    );
    return confirmSaved(me, form, intent);
  };

/** Reads the checkboxes of the table; checked ones are submitted as `kind.shown`. */
const readCheckedKinds = (fields: FormData) =>
  Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => {
      const is = (way: string) => fields.has(`${kind}.${way}`);
      return [kind, { shown: is("shown"), mailed: is("mailed"), pushed: is("pushed") }];
    }),
  ) as Parameters<typeof saveKindChoices>[2];

/** Commands of the notification settings. */
export const notificationSettingsCommands = {
  mail: async ({ ctx, me, form }: CommandInput) => {
    const { level } = parseForm(
      z.object({ level: z.enum(MAIL_LEVELS, "Choose how much email you want.") }),
      form,
    );
    await ctx.app.database.inTransaction((tx) => changeMailLevel(tx, me, level));
    return confirmSaved(me, form, "mail");
  },
  notify: createSaveCommand("notify", (tx, me, fields) => saveKindChoices(tx, me, readCheckedKinds(fields))),
  quiet: createSaveCommand("quiet", (tx, me, fields) =>
    saveQuietHours(tx, me, parseForm(QuietHoursInput, fields)),
  ),
  pause: createSaveCommand("pause", (tx, me, fields) =>
    pauseNotifications(tx, me, parseForm(PauseInput, fields)),
  ),
  digest: createSaveCommand("digest", (tx, me, fields) =>
    saveDigestSettings(tx, me, parseForm(DigestSettings, fields)),
  ),
  apart: createSaveCommand("apart", (tx, me, fields) =>
    saveSenderFolder(tx, me, { strangers: fields.has("strangers"), newcomers: fields.has("newcomers") }),
  ),
  "notify-groups": createSaveCommand("notify-groups", async (tx, me, fields) => {
    // Saves each group once, even if the form repeats a group.
    for (const [groupId, level] of new Map(fields))
      await setNotifyLevel(tx, me, { groupId, level: Level.parse(level) });
  }),
  follow: async ({ ctx, me, form }: CommandInput) => {
    const it = parseForm(
      z.object({ id: z.uuid(), level: z.enum(FOLLOW), was: z.enum(FOLLOW).optional() }),
      form,
    );
    await ctx.app.database.inTransaction((tx) =>
      setFollowLevel(tx, me, { discussionId: it.id, level: it.level }),
    );
    return redirect(
      urls.settings(me.id, "notifications", "notify-discussions", {
        saved: "follow",
        undo: it.was && `${it.id}.${it.was}`,
      }),
    );
  },
};
