import { useNavigation } from "react-router";
import { notFound } from "#platform/refusal";
import { isKeyOf } from "#platform/objects";
import { TWO_FACTOR_COOKIE } from "../../cookies.ts";
import { readQueryParam } from "../../form-parsing.ts";
import { pageMeta } from "../../ui/index.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import type { Route } from "./+types/login-step-page";
import { loginStepCommands } from "./login-step-commands.ts";
import { RequestSignInLink } from "../login-steps/request-sign-in-link.tsx";
import { ConfirmEmail } from "../login-steps/confirm-email.tsx";
import { ConfirmNewEmail } from "../login-steps/confirm-new-email.tsx";
import { OpenSignInLink } from "../login-steps/open-sign-in-link.tsx";
import { PasskeyStep } from "../login-steps/passkey-step.tsx";
import { TwoFactorStep } from "../login-steps/two-factor-step.tsx";
import { ConfirmationSent } from "../login-steps/confirmation-sent.tsx";
import { AccountStatus } from "../login-steps/account-status.tsx";
import { RegistrationStatus } from "../login-steps/registration-status.tsx";
import { openConfirmationLink } from "../registration/open-confirmation-link.ts";
import { findInvitation } from "../../welcome/step-data.ts";
import { readRegistrationCookie } from "../registration/registration-cookie.ts";
import { getAccountStatus } from "../get-account-status.ts";
import { isApprovalNeeded, supportsPasskeys, needsJoinReason } from "#community/accounts";

type T = (text: string) => string;

/** The pages of sign-in other than the form itself. Each has its own URL, since emails link to them. */
const PAGES = {
  "second-step": { Page: TwoFactorStep, title: (t: T) => t("Two-factor authentication") },
  passkey: { Page: PasskeyStep, title: (t: T) => t("Sign in with a passkey") },
  sent: { Page: ConfirmationSent, title: (t: T) => t("Check your inbox") },
  "ask-link": { Page: RequestSignInLink, title: (t: T) => t("Sign-in link") },
  link: { Page: OpenSignInLink, title: (t: T) => t("Sign in with a link") },
  confirm: { Page: ConfirmEmail, title: (t: T) => t("Confirm your email address") },
  email: { Page: ConfirmNewEmail, title: (t: T) => t("Confirm your new address") },
  standing: { Page: AccountStatus, title: (t: T) => t("Account status") },
  status: { Page: RegistrationStatus, title: (t: T) => t("Your registration waits for approval") },
};
type Name = keyof typeof PAGES;
const parseStepName = (name: string | undefined): Name => {
  if (name === undefined || !isKeyOf(PAGES, name)) throw notFound();
  return name;
};

export const loader = defineLoader(async ({ ctx, params, url, app, db, viewer, request }) => {
  const pending = readRegistrationCookie(ctx);
  const name = parseStepName(params["page"]);
  const [next, token] = [readQueryParam(url, "next", 300), readQueryParam(url, "token")];
  const confirmation = name === "confirm" ? await openConfirmationLink(ctx, request, { token, next }) : null;
  return {
    name,
    next,
    token,
    confirmation,
    invitation: confirmation && (await findInvitation(db, viewer, next, ctx.now)),
    said: readQueryParam(url, "said"),
    why: readQueryParam(url, "why"),
    by: readQueryParam(url, "by"),
    supportsPasskeys: supportsPasskeys(app.origin()),
    halfWay: ctx.cookies.has(TWO_FACTOR_COOKIE),
    pending: pending && { email: pending.email },
    needsJoinReason: name === "status" && pending !== null && (await needsJoinReason(app, pending.pending)),
    standing: name === "standing" ? await getAccountStatus(ctx, url) : null,
    approval:
      (await app.settings.get()).registration === "approval" ||
      (pending !== null && isApprovalNeeded(app, pending.pending)),
    mine: ctx.me?.id ?? null,
  };
});

export type StepProps = { data: Awaited<ReturnType<typeof loader>>; answer: unknown; busy: boolean };

export const action = defineAction(async (asked) =>
  loginStepCommands[parseStepName(asked.params["page"])](asked),
);

export const meta = pageMeta<Awaited<ReturnType<typeof loader>>>((data, t) => ({
  title: PAGES[data.name].title(t),
  hidden: true,
}));

export default function LoginStepPage({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const { Page } = PAGES[loaderData.name];
  return <Page data={loaderData} answer={actionData} busy={busy} />;
}
