import { useNavigation } from "react-router";
import { notFound } from "#platform/refusal";
import { HALF } from "../cookies.ts";
import { asked } from "../forms.ts";
import { pageMeta } from "../ui/index.ts";
import { acting, reading } from "../visit.ts";
import type { Route } from "./+types/login-page";
import { verbs } from "./login-page-verbs.ts";
import { AskLink } from "./pages/ask-link.tsx";
import { ConfirmAddress } from "./pages/confirm-address.tsx";
import { ConfirmNewAddress } from "./pages/confirm-new-address.tsx";
import { OpenLink } from "./pages/open-link.tsx";
import { Passkey } from "./pages/passkey.tsx";
import { SecondStep } from "./pages/second-step.tsx";
import { Sent } from "./pages/sent.tsx";
import { Standing } from "./pages/standing.tsx";
import { Status } from "./pages/status.tsx";
import { readPendingCookie } from "./pending-cookie.ts";
import { standingAt } from "./standing-at.ts";

type T = (text: string) => string;

/** The pages beside sign-in, each with its own URL, since emails link to them. */
const PAGES = {
  "second-step": { Page: SecondStep, title: (t: T) => t("One more step") },
  passkey: { Page: Passkey, title: (t: T) => t("Sign in with a passkey") },
  sent: { Page: Sent, title: (t: T) => t("Check your inbox") },
  "ask-link": { Page: AskLink, title: (t: T) => t("A link instead of a password") },
  link: { Page: OpenLink, title: (t: T) => t("Sign in by link") },
  confirm: { Page: ConfirmAddress, title: (t: T) => t("Confirm your address") },
  email: { Page: ConfirmNewAddress, title: (t: T) => t("Confirm your new address") },
  standing: { Page: Standing, title: (t: T) => t("How your account stands") },
  status: { Page: Status, title: (t: T) => t("A human will look at your registration") },
};
type Name = keyof typeof PAGES;
const nameOf = (given: string | undefined): Name => {
  if (given === undefined || !Object.hasOwn(PAGES, given)) throw notFound();
  return given as Name;
};

export const loader = reading(async ({ visit, params, url, house }) => {
  const pending = readPendingCookie(visit);
  const name = nameOf(params["page"]);
  return {
    name,
    next: asked(url, "next", 300),
    token: asked(url, "token"),
    said: asked(url, "said"),
    why: asked(url, "why"),
    by: asked(url, "by"),
    takesPasskeys: house.accounts.takesPasskeys(),
    halfWay: visit.cookies.has(HALF),
    pending: pending && { email: pending.email },
    asksWhy: name === "status" && pending !== null && (await house.accounts.asksWhy(pending.pending)),
    standing: name === "standing" ? await standingAt(visit, url) : null,
    approval: (await house.settings.get()).registration === "approval",
    mine: visit.me?.id ?? null,
  };
});

export type StepProps = { data: Awaited<ReturnType<typeof loader>>; answer: unknown; busy: boolean };

export const action = acting(async (asked) => verbs[nameOf(asked.params["page"])](asked));

export const meta = pageMeta<Awaited<ReturnType<typeof loader>>>((data, t) => ({ title: PAGES[data.name].title(t), hidden: true }));

export default function LoginPage({ loaderData, actionData }: Route.ComponentProps) {
  const busy = useNavigation().state === "submitting";
  const { Page } = PAGES[loaderData.name];
  return <Page data={loaderData} answer={actionData} busy={busy} />;
}
