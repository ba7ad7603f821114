import { redirect, useNavigation } from "react-router";
import { z } from "zod";
import { isSignedIn } from "#community/rules";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { pageMeta, Tabs } from "../../ui/index.ts";
import { ownPathOrHome, urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/login-page";
import { SignInNotice } from "./sign-in-notice.tsx";
import {
  continueAfterFirstStep,
  readSignInTarget,
  getClientInfo,
  handleSignInError,
} from "./complete-sign-in.ts";
import { readRegistrationCookie } from "../registration/registration-cookie.ts";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { ProviderButtons } from "../providers/provider-buttons.tsx";
import { TwoFactorForm } from "./two-factor-form.tsx";
import { SignInForm } from "./sign-in-form.tsx";
import { supportsPasskeys, signIn } from "#community/accounts";

export const loader = defineLoader(async ({ ctx, viewer, app, url }) => {
  const next = readQueryParam(url, "next", 300);
  if (isSignedIn(viewer)) throw redirect(ownPathOrHome(next));
  const after = readQueryParam(url, "after");
  return {
    next,
    after,
    login: after === "confirmed" ? (readRegistrationCookie(ctx)?.email ?? "") : "",
    providers: [...app.signInProviders.keys()],
    passkeys: supportsPasskeys(app.origin()),
  };
});

const Input = z.object({
  login: z.string().trim().min(1, "Enter your email address or username."),
  password: z.string().min(1, "Enter your password."),
  stay: z.string().optional(),
});

export const action = defineAction(async ({ ctx, app, form }) => {
  const target = readSignInTarget(form);
  const { login, password, stay } = parseForm(Input, form);
  try {
    const result = await signIn(
      app,
      { login, password, stay: stay !== undefined },
      getClientInfo(ctx),
      "web",
    );
    return await continueAfterFirstStep(ctx, result, target);
  } catch (error) {
    return handleSignInError(ctx, error, target, login.includes("@") ? login : "");
  }
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Sign in"),
  hidden: true,
}));

export default function Login({ loaderData, actionData }: Route.ComponentProps) {
  const t = useTranslate();
  const busy = useNavigation().state === "submitting";
  const { next, after, login, providers, passkeys } = loaderData;
  if (actionData && "secondStep" in actionData)
    return <TwoFactorFormHere context={actionData.secondStep} busy={busy} />;
  return (
    <>
      <h1 className="mb-4 font-serif text-title font-semibold">{t("Sign in")}</h1>
      <div className="mb-5">
        <Tabs
          fixed
          label={t("Sign in or sign up")}
          tabs={[
            { to: urls.login({ next }), label: t("Sign in"), current: true },
            { to: urls.register({ next }), label: t("Sign up"), current: false },
          ]}
        />
      </div>
      <div className="mb-4 empty:hidden">{!actionData && <SignInNotice after={after} />}</div>
      <SignInForm context={{ next }} answer={actionData} busy={busy} login={login} />
      {passkeys && <PasskeySignIn context={{ next }} href={urls.loginPage("passkey", { next })} />}
      <ProviderButtons providers={providers} next={next} />
    </>
  );
}

const TwoFactorFormHere = ({
  context,
  busy,
}: {
  context: { next: string; kept: string; keptPlace: string; passkey: boolean };
  busy: boolean;
}) => {
  const t = useTranslate();
  return (
    <>
      <h1 className="mb-4 font-serif text-title font-semibold">{t("Two-factor authentication")}</h1>
      <TwoFactorForm context={context} answer={undefined} busy={busy} />
      {context.passkey && <PasskeySignIn context={context} second />}
    </>
  );
};
