import { useNavigation } from "react-router";
import { notFound } from "#platform/refusal";
import { TWO_FACTOR_COOKIE } from "../cookies.ts";
import { readQueryParam } from "../forms.ts";
import { pageMeta } from "../ui/index.ts";
import { defineAction, defineLoader } from "../visit.ts";
import type { Route } from "./+types/login-page";
import { loginStepCommands } from "./login-page-verbs.ts";
import { RequestSignInLink } from "./pages/ask-link.tsx";
import { ConfirmEmail } from "./pages/confirm-address.tsx";
import { ConfirmNewEmail } from "./pages/confirm-new-address.tsx";
import { OpenSignInLink } from "./pages/open-link.tsx";
import { PasskeyPage } from "./pages/passkey.tsx";
import { TwoFactorStep } from "./pages/second-step.tsx";
import { ConfirmationSent } from "./pages/sent.tsx";
import { AccountStatus } from "./pages/standing.tsx";
import { RegistrationStatus } from "./pages/status.tsx";
import { readRegistrationCookie } from "./pending-cookie.ts";
import { getAccountStatus } from "./standing-at.ts";

type T = (text: string) => string;

/** The pages beside sign-in, each with its own URL, since emails link to them. */
const PAGES = {
  "second-step": { Page: TwoFactorStep, title: (t: T) => t("One more step") },
  passkey: { Page: PasskeyPage, title: (t: T) => t("Sign in with a passkey") },
  sent: { Page: ConfirmationSent, title: (t: T) => t("Check your inbox") },
  "ask-link": { Page: RequestSignInLink, title: (t: T) => t("A link instead of a password") },
  link: { Page: OpenSignInLink, title: (t: T) => t("Sign in by link") },
  confirm: { Page: ConfirmEmail, title: (t: T) => t("Confirm your address") },
  email: { Page: ConfirmNewEmail, title: (t: T) => t("Confirm your new address") },
  standing: { Page: AccountStatus, title: (t: T) => t("How your account stands") },
  status: { Page: RegistrationStatus, title: (t: T) => t("A human will look at your registration") },
};
type Name = keyof typeof PAGES;
const parseStepName = (given: string | undefined): Name => {
  if (given === undefined || !Object.hasOwn(PAGES, given)) throw notFound();
  return given as Name;
};

export const loader = defineLoader(async ({ ctx, params, url, app }) => {
  const pending = readRegistrationCookie(ctx);
  const name = parseStepName(params["page"]);
  return {
    name,
    next: readQueryParam(url, "next", 300),
    token: readQueryParam(url, "token"),
    said: readQueryParam(url, "said"),
    why: readQueryParam(url, "why"),
    by: readQueryParam(url, "by"),
    takesPasskeys: app.accounts.takesPasskeys(),
    halfWay: ctx.cookies.has(TWO_FACTOR_COOKIE),
    pending: pending && { email: pending.email },
    asksWhy: name === "status" && pending !== null && (await app.accounts.asksWhy(pending.pending)),
    standing: name === "standing" ? await getAccountStatus(ctx, url) : null,
    approval: (await app.settings.get()).registration === "approval",
    mine: ctx.me?.id ?? null,
  };
});

export type StepProps = { data: Awaited<ReturnType<typeof loader>>; answer: unknown; busy: boolean };

export const action = defineAction(async (asked) => loginStepCommands[parseStepName(asked.params["page"])](asked));

export const meta = pageMeta<Awaited<ReturnType<typeof loader>>>((data, t) => ({ title: PAGES[data.name].title(t), hidden: true }));

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const { Page } = PAGES[loaderData.name];
  return <Page data={loaderData} answer={actionData} busy={busy} />;
}
