import { Form } from "react-router";
import { ButtonLink, Notice, SubmitButton, TextField } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { StepHeading } from "./step-heading.tsx";
import { DevMailboxHint } from "./dev-mailbox-hint.tsx";

/**
 * The page is the same whether or not the address already had an account, so that it does not reveal
 * accounts.
 */
export function ConfirmationSent({ data, answer }: StepProps) {
  const t = useTranslate();
  if (!data.pending)
    return (
      <>
        <StepHeading title={t("No registration in progress")}>
          <p>{t("It may have been started in another browser, or more than 48 hours ago.")}</p>
        </StepHeading>
        <div className="flex flex-wrap gap-2">
          <ButtonLink kind="primary" to={urls.register()}>
            {t("Register")}
          </ButtonLink>
          <ButtonLink to={urls.login()}>{t("Sign in")}</ButtonLink>
        </div>
      </>
    );
  const { email } = data.pending;
  return (
    <>
      <StepHeading title={t("Check your inbox")}>
        {data.why === "unconfirmed" && <p>{t("Confirm your email address before you sign in.")}</p>}
        <p>
          {email ? (
            <Rich
              text="We have sent an email to <0>{email}</0>."
              values={{ email }}
              parts={{ 0: <strong className="break-words text-ink" /> }}
            />
          ) : (
            t("We have sent you an email.")
          )}{" "}
          {data.approval
            ? t("Open the link in the email within 48 hours. A moderator then reviews your registration.")
            : t("Open the link in the email within 48 hours: in this browser, it signs you in.")}
        </p>
        <p>{t("No email? Check your spam folder, or have it sent again.")}</p>
      </StepHeading>
      <div className="mb-4 grid gap-4">
        {!answer && data.said === "again" && (
          <Notice tone="good">{t("We have sent another email. The link in the newest one works.")}</Notice>
        )}
        {!answer && data.said === "changed" && (
          <Notice tone="good">{t("We have sent an email to the new address.")}</Notice>
        )}
        <AccountFormErrors answer={answer} />
      </div>
      <Form method="post" action={urls.loginPage("sent")}>
        <SubmitButton busy={t("Sending…")} name="intent" value="resend">
          {t("Resend")}
        </SubmitButton>
      </Form>
      <details className="mt-5" open={Boolean(answer)}>
        <summary className="text-accent underline">{t("Change email address")}</summary>
        <Form method="post" action={urls.loginPage("sent")} className="mt-3 grid gap-3">
          <TextField
            name="email"
            type="email"
            label={t("Correct email address")}
            required
            maxLength={320}
            autoComplete="email"
          />
          <SubmitButton kind="plain" busy={t("Sending…")} name="intent" value="change">
            {t("Send to this address")}
          </SubmitButton>
        </Form>
      </details>
      <DevMailboxHint />
    </>
  );
}
