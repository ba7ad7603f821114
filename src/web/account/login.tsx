import { redirect, useNavigation } from "react-router";
import { z } from "zod";
import { isSignedIn } from "#community/rules";
import { asked, parseForm } from "../forms.ts";
import { pageMeta, Tabs } from "../ui/index.ts";
import { ownPath, urls } from "../urls.ts";
import { acting, reading } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/login";
import { AfterNotice } from "./after-notice.tsx";
import { afterFirstStep, errandOf, fromOf, turnedAway } from "./entering.ts";
import { readPendingCookie } from "./pending-cookie.ts";
import PasskeyWay from "./passkeys/passkey-way.tsx";
import { ProviderButtons } from "./provider-buttons.tsx";
import { SecondStepForm } from "./second-step-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";

export const loader = reading(async ({ visit, viewer, house, url }) => {
  const next = asked(url, "next", 300);
  if (isSignedIn(viewer)) throw redirect(ownPath(next));
  const after = asked(url, "after");
  return {
    next,
    after,
    login: after === "confirmed" ? (readPendingCookie(visit)?.email ?? "") : "",
    providers: house.providers,
    passkeys: house.accounts.takesPasskeys(),
  };
});

const Input = z.object({
  login: z.string().trim().min(1, "Your mail address or your user name is needed."),
  password: z.string().min(1, "Your password is needed."),
  stay: z.string().optional(),
});

export const action = acting(async ({ visit, house, form }) => {
  const errand = errandOf(form);
  const { login, password, stay } = parseForm(Input, form);
  try {
    const signIn = await house.accounts.signIn({ login, password, stay: stay !== undefined }, fromOf(visit), "web");
    return await afterFirstStep(visit, signIn, errand);
  } catch (error) {
    return turnedAway(visit, error, errand, login.includes("@") ? login : "");
  }
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("Sign in"), hidden: true }));

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const t = useWords();
  const busy = useNavigation().state === "submitting";
  const { next, after, login, providers, passkeys } = loaderData;
  if (actionData && "secondStep" in actionData) return <SecondStepHere way={actionData.secondStep} busy={busy} />;
  return (
    <>
      <h1 className="mb-4 font-serif text-title font-semibold">{t("Sign in")}</h1>
      <div className="mb-5">
        <Tabs
          fixed
          label={t("Coming in")}
          tabs={[
            { to: urls.login({ next }), label: t("Sign in"), current: true },
            { to: urls.register({ next }), label: t("Join us"), current: false },
          ]}
        />
      </div>
      <div className="mb-4 empty:hidden">{!actionData && <AfterNotice after={after} />}</div>
      <SignInForm way={{ next }} answer={actionData} busy={busy} login={login} />
      {passkeys && <PasskeyWay way={{ next }} href={urls.loginPage("passkey", { next })} />}
      <ProviderButtons providers={providers} next={next} />
    </>
  );
}

const SecondStepHere = ({ way, busy }: { way: { next: string; kept: string; keptPlace: string; passkey: boolean }; busy: boolean }) => {
  const t = useWords();
  return (
    <>
      <h1 className="mb-4 font-serif text-title font-semibold">{t("One more step")}</h1>
      <SecondStepForm way={way} answer={undefined} busy={busy} />
      {way.passkey && <PasskeyWay way={way} second />}
    </>
  );
};
