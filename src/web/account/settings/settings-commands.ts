import { redirect, redirectDocument } from "react-router";
import { z } from "zod";
import { resubscribeToAllMail } from "#community/mail";
import {
  answerFields,
  requestExport,
  DisplaySettingsInput,
  PrivacySettingsInput,
  updateDisplay,
  updatePrivacy,
  updateProfileOrAwaitApproval,
  changeEmail,
  changeUsername,
  changePassword,
  beginTotpSetup,
  confirmTotpSetup,
  replaceRecoveryCodes,
  disableTotp,
  endSession,
  endOtherSessions,
  unlinkProvider,
  deactivateAccount,
} from "#community/accounts";
import { NewSubscription, setPushTextShown, subscribeToPush, unsubscribeFromPush } from "#community/push";
import type { SignedIn } from "#community/rules";
import { cookie, LOCALE_COOKIE, SESSION_COOKIE, TEXT_SIZE_COOKIE, THEME_COOKIE } from "../../cookies.ts";
import { parseForm } from "../../form-parsing.ts";
import { parseTextSize } from "../../text-size.ts";
import { type SettingsPage, urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";
import { blockCommands } from "./blocks-and-filters.ts";
import { notificationSettingsCommands } from "./notifications/notification-settings-commands.ts";
import { passkeyCommands } from "./security/passkey-commands.ts";
import { tokenCommands } from "./tokens/token-commands.ts";
import { parseAnswersForm, parseProfileForm } from "./parse-profile-form.ts";
import { withPrefixedFields } from "./prefixed-fields.ts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };
type SettingsCommand = (input: CommandInput) => Promise<unknown>;

const text = z.string().trim();
const password = z.string().min(1, "Enter your password.");
/** Password or code. Empty for people who have neither; they must have signed in recently instead. */
const anyProof = z.object({ proof: z.string().default("") });
const ProofForm = z.object({ proof: z.string().min(1, "Enter your password or a code.") });
const code = z.object({ code: text.min(1, "Enter the code.") });
const CONTENT_OPTIONS = ["keep", "remove"] as const;
const LeaveForm = z.object({
  password,
  content: z.enum(CONTENT_OPTIONS, "Choose whether your content is kept."),
});
const IdForm = z.object({ id: z.uuid("Unknown value.") });
const checkbox = z
  .string()
  .optional()
  .transform((given) => given !== undefined);
const Privacy = PrivacySettingsInput.extend({
  showOnline: checkbox,
  showFriendCount: checkbox,
  showReading: checkbox,
  inDirectory: checkbox,
  inSearchEngines: checkbox,
});

/** Redirects to the section that was saved, on its page. */
const redirectToSaved = (me: SignedIn, page: SettingsPage, intent: string, section = intent) =>
  redirect(urls.settings(me.id, page, section, { saved: intent }));

async function savePushTextShown(ctx: RequestContext, me: SignedIn, id: string, shows: boolean) {
  await ctx.app.database.inTransaction((tx) => setPushTextShown(tx, me, { id, shows }));
  return redirectToSaved(me, "notifications", "push-text", "push");
}

export const settingsCommands: Record<string, SettingsCommand> = {
  email: async ({ ctx, me, form }) => {
    await withPrefixedFields("email", form, (fields) =>
      changeEmail(ctx.app, me, parseForm(z.object({ email: text, password }), fields)),
    );
    return redirectToSaved(me, "account", "email");
  },
  username: async ({ ctx, me, form }) => {
    await withPrefixedFields("username", form, (fields) =>
      changeUsername(ctx.app, me, parseForm(z.object({ username: text }), fields).username),
    );
    return redirectToSaved(me, "account", "username");
  },
  password: async ({ ctx, me, form }) => {
    const input = z.object({ current: password, password: z.string().min(1, "Choose a password.") });
    await withPrefixedFields("password", form, (fields) =>
      changePassword(ctx.app, me, parseForm(input, fields), ctx.sessionId),
    );
    return redirectToSaved(me, "security", "password");
  },
  // Secrets are shown in the response only, never in a URL or cookie.
  "begin-totp": async ({ ctx, me, form }) =>
    withPrefixedFields("begin-totp", form, async (fields) => {
      const { proof } = parseForm(anyProof, fields);
      return { enrol: await beginTotpSetup(ctx.app, me, { proof, sessionId: ctx.sessionId }) };
    }),
  "confirm-totp": async ({ ctx, me, form }) =>
    withPrefixedFields("confirm-totp", form, (fields) =>
      confirmTotpSetup(ctx.app, me, parseForm(code, fields).code),
    ),
  "new-codes": async ({ ctx, me, form }) =>
    withPrefixedFields("new-codes", form, (fields) =>
      replaceRecoveryCodes(ctx.app, me, parseForm(ProofForm, fields).proof),
    ),
  "disable-totp": async ({ ctx, me, form }) => {
    await withPrefixedFields("disable-totp", form, (fields) =>
      disableTotp(ctx.app, me, parseForm(ProofForm, fields).proof),
    );
    return redirectToSaved(me, "security", "disable-totp", "second-step");
  },
  "resume-mail": async ({ ctx, me }) => {
    await ctx.app.database.inTransaction((tx) => resubscribeToAllMail(tx, me));
    return redirectToSaved(me, "notifications", "resume-mail", "mail");
  },
  "push-on": async ({ ctx, me, form }) => {
    await ctx.app.database.inTransaction((tx) =>
      subscribeToPush(tx, me, parseForm(NewSubscription, form), ctx.sessionId),
    );
    return redirectToSaved(me, "notifications", "push-on", "push");
  },
  "push-off": async ({ ctx, me, form }) => {
    await ctx.app.database.inTransaction((tx) => unsubscribeFromPush(tx, me, parseForm(IdForm, form)));
    return redirectToSaved(me, "notifications", "push-off", "push");
  },
  "push-text": async ({ ctx, me, form }) => savePushTextShown(ctx, me, parseForm(IdForm, form).id, true),
  "push-quiet": async ({ ctx, me, form }) => savePushTextShown(ctx, me, parseForm(IdForm, form).id, false),
  "end-session": async ({ ctx, me, form }) => {
    await endSession(ctx.app, me, parseForm(IdForm, form).id);
    return redirectToSaved(me, "security", "end-session", "sessions");
  },
  "end-others": async ({ ctx, me }) => {
    await endOtherSessions(ctx.app, me, ctx.sessionId);
    return redirectToSaved(me, "security", "end-others", "sessions");
  },
  unlink: async ({ ctx, me, form }) => {
    await unlinkProvider(ctx.app, me, parseForm(z.object({ provider: text }), form).provider);
    return redirectToSaved(me, "security", "unlink", "providers");
  },
  profile: async ({ ctx, me, form }) => {
    await withPrefixedFields("profile", form, (fields) => {
      const input = parseProfileForm(fields);
      return ctx.app.database.inTransaction((tx) => updateProfileOrAwaitApproval(tx, me, me.id, input));
    });
    return redirectToSaved(me, "profile", "profile");
  },
  asked: async ({ ctx, me, form }) => {
    await withPrefixedFields("asked", form, (fields) => {
      const answers = parseAnswersForm(fields);
      return ctx.app.database.inTransaction((tx) => answerFields(tx, me, me.id, answers));
    });
    return redirectToSaved(me, "profile", "asked");
  },
  privacy: async ({ ctx, me, form }) => {
    await withPrefixedFields("privacy", form, (fields) => {
      const input = parseForm(Privacy, fields);
      return ctx.app.database.inTransaction((tx) => updatePrivacy(tx, me, me.id, input));
    });
    return redirectToSaved(me, "privacy", "privacy");
  },
  ...passkeyCommands,
  ...tokenCommands,
  ...blockCommands,
  ...notificationSettingsCommands,
  display: async ({ ctx, me, form }) => {
    const input = await withPrefixedFields("display", form, async (fields) =>
      parseForm(DisplaySettingsInput, fields),
    );
    await ctx.app.database.inTransaction((tx) => updateDisplay(tx, me, me.id, input));
    ctx.setCookies.push(cookie.choice(LOCALE_COOKIE, input.locale), cookie.choice(THEME_COOKIE, input.theme));
    const textSize = parseTextSize(form.get("display-textSize"));
    if (textSize) ctx.setCookies.push(cookie.choice(TEXT_SIZE_COOKIE, textSize));
    return redirectToSaved(me, "appearance", "display");
  },
  export: async ({ ctx, me }) => {
    await ctx.app.database.inTransaction((tx) => requestExport(tx, me));
    return redirectToSaved(me, "data", "export", "data");
  },
  leave: async ({ ctx, me, form }) => {
    await withPrefixedFields("leave", form, (fields) => {
      const { password: proved, content } = parseForm(LeaveForm, fields);
      return deactivateAccount(ctx.app, me, proved, content);
    });
    ctx.setCookies.push(cookie.forget(SESSION_COOKIE));
    return redirectDocument(urls.login({ after: "left" }));
  },
};
