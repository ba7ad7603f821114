import type { SetupChecklist } from "#community/setup";
import type { RequestContext } from "../request-context.ts";
import { translateFor } from "../translate-for.ts";
import { urls } from "../urls.ts";

type ChecklistItem = {
  isDone: boolean;
  name: string;
  /** Page on which the task can be done; null if there is none. */
  to: string | null;
  hint?: string | null;
};
/** Texts of the checklist, in the admin's language. */
export type ChecklistTexts = {
  title: string;
  dismiss: string;
  done: string;
  /** Label of the button that sends a test email; null if a test would be of no use. */
  sendTest: string | null;
  items: ChecklistItem[];
};

/**
 * Makes the texts of the checklist. They are made on the server, so that the home page does not contain code
 * for a list that few people see.
 */
export function makeChecklistTexts(ctx: RequestContext, list: SetupChecklist): ChecklistTexts {
  const { isNamed, hasRules, group, hasInvited, mail, hasSecondStep } = list;
  const item = (isDone: boolean, name: string, to: string | null, hint: string | null = null) => ({
    isDone,
    name,
    to,
    hint,
  });
  const people = group ? urls.manageGroup(group.slug, "invitations") : urls.friends();
  const security = ctx.me && urls.settings(ctx.me.id, "security");
  return {
    title: translateFor(ctx, "Set up your community"),
    dismiss: translateFor(ctx, "Dismiss"),
    done: translateFor(ctx, "Done"),
    sendTest: mail === "works" || mail === "unset" ? null : translateFor(ctx, "Send test email"),
    items: [
      item(isNamed, translateFor(ctx, "Name your community"), urls.siteSettings()),
      item(group !== null, translateFor(ctx, "Create the first group"), urls.newGroup()),
      item(hasInvited, translateFor(ctx, "Invite people"), people),
      item(mail === "works", translateFor(ctx, "Test the mail server"), null, describeMail(ctx, list)),
      item(hasRules, translateFor(ctx, "Write the community rules"), urls.siteSettings({}, "rules")),
      item(
        hasSecondStep,
        translateFor(ctx, "Protect your account with a passkey or a second factor"),
        security,
      ),
    ],
  };
}

function describeMail(ctx: RequestContext, { mail }: SetupChecklist): string | null {
  if (mail === "unset")
    return translateFor(
      ctx,
      "No mail server is set: members cannot confirm their address. Set SMTP_URL and restart.",
    );
  if (mail === "failed")
    return translateFor(ctx, "The last email could not be sent. Check SMTP_URL and the failed jobs.");
  return null;
}
