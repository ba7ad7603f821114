import { redirect } from "react-router";
import { z } from "zod";
import { setFollowLevel } from "#community/discussions";
import { setGroupNotices } from "#community/groups";
import {
  chooseMail,
  Digest,
  Pause,
  pauseNotifications,
  QuietHours,
  saveChoices,
  saveDigest,
  saveQuietHours,
  saveSendersApart,
} from "#community/notifications";
import { MAIL_LEVELS } from "#community/people";
import { NOTIFICATION_KINDS, type SignedIn } from "#community/rules";
import { parseForm } from "../../forms.ts";
import { urls } from "../../urls.ts";
import type { Visit } from "../../visit.ts";
import { under } from "./under.ts";

type Asked = { visit: Visit; me: SignedIn; form: FormData };
type Within = Parameters<Parameters<Visit["house"]["database"]["inTransaction"]>[0]>[0];

const FOLLOW = ["watching", "tracking", "normal", "muted"] as const;
/** Any other value was not sent by the page and means the default. */
const Level = z.enum(["all", "highlights", "mentions", "mute"]).catch("highlights");

/** Saves in a transaction and redirects to the section. */
const saving =
  (intent: string, save: (tx: Within, me: SignedIn, fields: FormData) => Promise<unknown>, anchor = intent) =>
  async ({ visit, me, form }: Asked) => {
    await under(intent, form, (fields) => visit.house.database.inTransaction((tx) => save(tx, me, fields)));
    return redirect(urls.settings(me.id, anchor, { saved: intent }));
  };

/** Checkboxes of the table: checked ones are submitted as `kind.shown`. */
const ticked = (fields: FormData) =>
  Object.fromEntries(
    NOTIFICATION_KINDS.map((kind) => {
      const is = (way: string) => fields.has(`${kind}.${way}`);
      return [kind, { shown: is("shown"), mailed: is("mailed"), pushed: is("pushed") }];
    }),
  ) as Parameters<typeof saveChoices>[2];

/** Commands of the notification settings. */
export const noticeVerbs = {
  mail: async ({ visit, me, form }: Asked) => {
    const { level } = parseForm(z.object({ level: z.enum(MAIL_LEVELS, "Choose one of the three.") }), form);
    await visit.house.database.inTransaction((tx) => chooseMail(tx, me, level));
    return redirect(urls.settings(me.id, "mail", { saved: "mail" }));
  },
  notify: saving("notify", (tx, me, fields) => saveChoices(tx, me, ticked(fields))),
  quiet: saving("quiet", (tx, me, fields) => saveQuietHours(tx, me, parseForm(QuietHours, fields))),
  pause: saving("pause", (tx, me, fields) => pauseNotifications(tx, me, parseForm(Pause, fields))),
  digest: saving("digest", (tx, me, fields) => saveDigest(tx, me, parseForm(Digest, fields))),
  apart: saving("apart", (tx, me, fields) =>
    saveSendersApart(tx, me, { strangers: fields.has("strangers"), newcomers: fields.has("newcomers") }),
  ),
  "notify-groups": saving("notify-groups", async (tx, me, fields) => {
    // Each group once, even if the form repeats it.
    for (const [groupId, level] of new Map(fields)) await setGroupNotices(tx, me, { groupId, level: Level.parse(level) });
  }),
  follow: async ({ visit, me, form }: Asked) => {
    const it = parseForm(z.object({ id: z.uuid(), level: z.enum(FOLLOW), was: z.enum(FOLLOW).optional() }), form);
    await visit.house.database.inTransaction((tx) => setFollowLevel(tx, me, { discussionId: it.id, level: it.level }));
    return redirect(urls.settings(me.id, "notify-discussions", { saved: "follow", undo: it.was && `${it.id}.${it.was}` }));
  },
};
