import { redirect, redirectDocument } from "react-router";
import { z } from "zod";
import { resumeAll } from "#community/mailing";
import { answerFields, askForExport, DisplayForm, PrivacyForm, updateDisplay, updatePrivacy, updateProfile } from "#community/people";
import { NewSubscription, showTextOn, subscribe, unsubscribe } from "#community/pushing";
import type { SignedIn } from "#community/rules";
import { cookie, LOCALE, SESSION, TEXT_SIZE, THEME } from "../../cookies.ts";
import { parseForm } from "../../forms.ts";
import { textSizeIn } from "../../text-size.ts";
import { urls } from "../../urls.ts";
import type { Visit } from "../../visit.ts";
import { keptAwayVerbs } from "./kept-away.ts";
import { noticeVerbs } from "./notice-verbs.ts";
import { passkeyVerbs } from "./passkey-verbs.ts";
import { answersOf, profileOf } from "./profile-input.ts";
import { under } from "./under.ts";

type Asked = { visit: Visit; me: SignedIn; form: FormData };
type Verb = (asked: Asked) => Promise<unknown>;

const text = z.string().trim();
const password = z.string().min(1, "Your password is needed.");
/** Whoever has neither a password nor codes has nothing to write into the field. */
const anyProof = z.object({ proof: z.string().default("") });
const proof = z.object({ proof: z.string().min(1, "Your password or a code is needed.") });
const code = z.object({ code: text.min(1, "The code is needed.") });
const WRITINGS = ["keep", "remove"] as const;
const LeaveForm = z.object({ password, writings: z.enum(WRITINGS, "Choose what becomes of your writings.") });
const id = z.object({ id: z.uuid("That is not something we know.") });
const choice = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const Privacy = PrivacyForm.extend({
  showOnline: choice,
  showFriendCount: choice,
  showReading: choice,
  inDirectory: choice,
  inSearchEngines: choice,
});

/** Redirects to the saved section of the page. */
const saved = (me: SignedIn, intent: string, section = intent) => redirect(urls.settings(me.id, section, { saved: intent }));

async function showText(visit: Visit, me: SignedIn, id: string, shows: boolean) {
  await visit.house.database.inTransaction((tx) => showTextOn(tx, me, { id, shows }));
  return saved(me, "push-text", "push");
}

export const settingsVerbs: Record<string, Verb> = {
  email: async ({ visit, me, form }) => {
    await under("email", form, (fields) => visit.house.accounts.changeEmail(me, parseForm(z.object({ email: text, password }), fields)));
    return saved(me, "email");
  },
  username: async ({ visit, me, form }) => {
    await under("username", form, (fields) =>
      visit.house.accounts.changeUsername(me, parseForm(z.object({ username: text }), fields).username),
    );
    return saved(me, "username");
  },
  password: async ({ visit, me, form }) => {
    const input = z.object({ current: password, password: z.string().min(1, "Choose a password.") });
    await under("password", form, (fields) => visit.house.accounts.changePassword(me, parseForm(input, fields), visit.sessionId));
    return saved(me, "password");
  },
  // Secrets are shown in the response only, never in a URL or cookie.
  "begin-totp": async ({ visit, me, form }) =>
    under("begin-totp", form, async (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return { enrol: await visit.house.accounts.beginTotp(me, { proof, sessionId: visit.sessionId }) };
    }),
  "confirm-totp": async ({ visit, me, form }) =>
    under("confirm-totp", form, (fields) => visit.house.accounts.confirmTotp(me, parseForm(code, fields).code)),
  "new-codes": async ({ visit, me, form }) =>
    under("new-codes", form, (fields) => visit.house.accounts.newRecoveryCodes(me, parseForm(proof, fields).proof)),
  "disable-totp": async ({ visit, me, form }) => {
    await under("disable-totp", form, (fields) => visit.house.accounts.disableTotp(me, parseForm(proof, fields).proof));
    return saved(me, "disable-totp", "second-step");
  },
  "mail-again": async ({ visit, me }) => {
    await visit.house.database.inTransaction((tx) => resumeAll(tx, me));
    return saved(me, "mail-again", "mail");
  },
  "push-on": async ({ visit, me, form }) => {
    await visit.house.database.inTransaction((tx) => subscribe(tx, me, parseForm(NewSubscription, form), visit.sessionId));
    return saved(me, "push-on", "push");
  },
  "push-off": async ({ visit, me, form }) => {
    await visit.house.database.inTransaction((tx) => unsubscribe(tx, me, parseForm(id, form)));
    return saved(me, "push-off", "push");
  },
  "push-text": async ({ visit, me, form }) => showText(visit, me, parseForm(id, form).id, true),
  "push-quiet": async ({ visit, me, form }) => showText(visit, me, parseForm(id, form).id, false),
  "end-session": async ({ visit, me, form }) => {
    await visit.house.accounts.endSession(me, parseForm(id, form).id);
    return saved(me, "end-session", "sessions");
  },
  "end-others": async ({ visit, me }) => {
    await visit.house.accounts.endOtherSessions(me, visit.sessionId);
    return saved(me, "end-others", "sessions");
  },
  unlink: async ({ visit, me, form }) => {
    await visit.house.accounts.unlinkProvider(me, parseForm(z.object({ provider: text }), form).provider);
    return saved(me, "unlink", "providers");
  },
  profile: async ({ visit, me, form }) => {
    await under("profile", form, (fields) => {
      const input = profileOf(fields);
      return visit.house.database.inTransaction((tx) => updateProfile(tx, me, me.id, input));
    });
    return saved(me, "profile");
  },
  asked: async ({ visit, me, form }) => {
    await under("asked", form, (fields) => {
      const answers = answersOf(fields);
      return visit.house.database.inTransaction((tx) => answerFields(tx, me, me.id, answers));
    });
    return saved(me, "asked");
  },
  privacy: async ({ visit, me, form }) => {
    await under("privacy", form, (fields) => {
      const input = parseForm(Privacy, fields);
      return visit.house.database.inTransaction((tx) => updatePrivacy(tx, me, me.id, input));
    });
    return saved(me, "privacy");
  },
  ...passkeyVerbs,
  ...keptAwayVerbs,
  ...noticeVerbs,
  display: async ({ visit, me, form }) => {
    const input = await under("display", form, async (fields) => parseForm(DisplayForm, fields));
    await visit.house.database.inTransaction((tx) => updateDisplay(tx, me, me.id, input));
    visit.setCookies.push(cookie.choice(LOCALE, input.locale), cookie.choice(THEME, input.theme));
    const textSize = textSizeIn(form.get("display-textSize"));
    if (textSize) visit.setCookies.push(cookie.choice(TEXT_SIZE, textSize));
    return saved(me, "display");
  },
  export: async ({ visit, me }) => {
    await visit.house.database.inTransaction((tx) => askForExport(tx, me));
    return saved(me, "export", "data");
  },
  leave: async ({ visit, me, form }) => {
    await under("leave", form, (fields) => {
      const { password: proved, writings } = parseForm(LeaveForm, fields);
      return visit.house.accounts.deactivate(me, proved, writings);
    });
    visit.setCookies.push(cookie.forget(SESSION));
    return redirectDocument(urls.login({ after: "left" }));
  },
};
