import { Form, redirect } from "react-router";
import { z } from "zod";
import {
  findFirstAdminSetup,
  NewPassword,
  supportsPasskeys,
  isResetLinkValid,
  sendResetLink,
  resetPassword,
} from "#community/accounts";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { ButtonLink, pageMeta, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { defineAction, defineLoader } from "../../request-context.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { Route } from "./+types/reset-password-page";
import {
  continueAfterFirstStep,
  readSignInTarget,
  getClientInfo,
  handleSignInError,
} from "./complete-sign-in.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import { StepHeading } from "../login-steps/step-heading.tsx";
import { DevMailboxHint } from "../login-steps/dev-mailbox-hint.tsx";
import { ExpiredLink } from "../login-steps/expired-link.tsx";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import { Link } from "../../ui/navigation/link.tsx";

export const loader = defineLoader(async ({ app, url }) => {
  const token = readQueryParam(url, "token");
  // With the first admin's link, the admin also enters name and address of the account, on the set-up page.
  if (token !== "" && (await findFirstAdminSetup(app, token))) throw redirect(urls.setup({ token }));
  return {
    step: token === "" ? ("ask" as const) : ("set" as const),
    sent: url.searchParams.has("sent"),
    passkeys: supportsPasskeys(app.origin()),
    holds: token !== "" && (await isResetLinkValid(app, token)),
  };
});

export const action = defineAction(async ({ ctx, app, url, form }) => {
  const token = readQueryParam(url, "token");
  if (token === "") {
    const { email } = parseForm(
      z.object({ email: z.string().trim().min(1, "Enter your email address.") }),
      form,
    );
    await sendResetLink(app, email, getClientInfo(ctx));
    throw redirect(urls.resetPassword({ sent: "1" }));
  }
  const chosen = parseForm(NewPassword, form);
  try {
    return await continueAfterFirstStep(
      ctx,
      await resetPassword(app, token, chosen, getClientInfo(ctx), "web"),
      readSignInTarget(form),
    );
  } catch (error) {
    return handleSignInError(ctx, error, readSignInTarget(form));
  }
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Set a new password"),
  hidden: true,
}));

export default function ResetPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { step, holds, sent, passkeys } = loaderData;
  if (step === "ask")
    return sent && !actionData ? <ResetRequested /> : <RequestResetForm answer={actionData} />;
  return holds ? <SetPassword answer={actionData} passkeys={passkeys} /> : <ExpiredResetLink />;
}

function RequestResetForm({ answer }: { answer: unknown }) {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("Forgot your password?")}>
        <p>{t("Enter your email address, and we send you a link to set a new password.")}</p>
      </StepHeading>
      <Form method="post" action={urls.resetPassword()} className="grid gap-4">
        <AccountFormErrors answer={answer} />
        <TextField
          name="email"
          type="email"
          label={t("Email address")}
          required
          maxLength={320}
          autoComplete="email"
        />
        <SubmitButton busy={t("Sending…")}>{t("Send link")}</SubmitButton>
      </Form>
      <p className="mt-4">
        <Link to={urls.login()}>{t("Back to sign in")}</Link>
      </p>
    </>
  );
}

function ResetRequested() {
  const t = useTranslate();
  return (
    <>
      <StepHeading title={t("Check your inbox")}>
        <p>
          {t(
            "If there is an account with that address, a link is on its way. The link works once, for " +
              "one hour.",
          )}
        </p>
      </StepHeading>
      <p>
        <Link to={urls.resetPassword()}>{t("No email? Request another one")}</Link>
      </p>
      <DevMailboxHint />
    </>
  );
}

function SetPassword({ answer, passkeys }: { answer: unknown; passkeys: boolean }) {
  const t = useTranslate();
  const words = usePasswordRequirements();
  const fields = findRejectedForm(answer)?.refused.fields ?? {};
  return (
    <>
      <StepHeading title={t("Set a new password")}>
        <p>{t("You will be signed out everywhere else.")}</p>
      </StepHeading>
      <Form method="post" className="grid gap-4">
        <AccountFormErrors answer={answer} />
        <PasswordField
          name="password"
          label={t("New password")}
          autoComplete="new-password"
          hint={words}
          fault={fields["password"]}
        />
        <PasswordField
          name="again"
          label={t("Repeat password")}
          autoComplete="new-password"
          fault={fields["again"]}
        />
        <SubmitButton busy={t("Setting…")}>{t("Set the password")}</SubmitButton>
      </Form>
      {passkeys && (
        <section aria-label={t("Other ways to sign in")} className="mt-5 border-t border-line pt-4">
          <p className="text-quiet">
            {t("You can sign in with a passkey instead; your password stays the same.")}
          </p>
          <PasskeySignIn context={{ next: "" }} href={urls.loginPage("passkey")} />
        </section>
      )}
    </>
  );
}

function ExpiredResetLink() {
  const t = useTranslate();
  return (
    <ExpiredLink>
      <ButtonLink kind="primary" to={urls.resetPassword()}>
        {t("Send a new link")}
      </ButtonLink>
      <ButtonLink to={urls.login()}>{t("Sign in")}</ButtonLink>
    </ExpiredLink>
  );
}
