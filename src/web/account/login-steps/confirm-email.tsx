import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors, findRejectedForm } from "../account-form-errors.tsx";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { PasswordField } from "../password-field.tsx";
import { usePasswordRequirements } from "../password-requirements.ts";
import { StepHeading } from "./step-heading.tsx";
import { isLinkExpired, ExpiredLink } from "./expired-link.tsx";

/**
 * The account whose password must be entered if the link is opened in another browser. An account of a
 * sign-in provider has no password, so one is chosen here.
 */
export type AskedForPassword = { asks: { username: string; hasPassword: boolean } };

export function ConfirmEmail({ data, answer }: StepProps) {
  const t = useTranslate();
  if (isLinkExpired(data.token, answer))
    return (
      <ExpiredLink>
        {data.pending && (
          <ButtonLink kind="primary" to={urls.loginPage("sent")}>
            {t("Resume emails")}
          </ButtonLink>
        )}
        {/* Signing in with an unconfirmed address sends a new email, in any browser. */}
        <ButtonLink kind={data.pending ? "plain" : "primary"} to={urls.login()}>
          {t("Sign in")}
        </ButtonLink>
        <ButtonLink to={urls.register()}>{t("Register")}</ButtonLink>
      </ExpiredLink>
    );
  const asks = asksIn(answer);
  if (asks) return <ShowPassword {...asks} answer={answer} />;
  return (
    <>
      <StepHeading title={t("Confirm your email address")}>
        <p>{t("Confirm that this email address is yours.")}</p>
      </StepHeading>
      <Form method="post" className="grid gap-4">
        <AccountFormErrors answer={answer} />
        <SubmitButton busy={t("Confirming…")}>{t("Confirm email address")}</SubmitButton>
      </Form>
    </>
  );
}

/**
 * The account whose password the form asks for, at first and again after an invalid entry; null if it asks
 * for none.
 */
function asksIn(answer: unknown): AskedForPassword["asks"] | null {
  if (typeof answer === "object" && answer !== null && "asks" in answer)
    return (answer as AskedForPassword).asks;
  const typed = findRejectedForm(answer)?.typed;
  return typed?.["username"] ? { username: typed["username"], hasPassword: typed["shows"] === "1" } : null;
}

function ShowPassword({ username, hasPassword, answer }: AskedForPassword["asks"] & { answer: unknown }) {
  const t = useTranslate();
  const hint = usePasswordRequirements();
  const refused = findRejectedForm(answer);
  const chooses = refused?.typed["intent"] === "choose-password";
  const fault = refused?.refused.fields["password"];
  const hidden = (
    <>
      <input type="hidden" name="username" value={username} autoComplete="username" />
      <input type="hidden" name="shows" value={hasPassword ? "1" : ""} />
    </>
  );
  const choose = (
    <Form method="post" className="grid gap-4">
      {hidden}
      <input type="hidden" name="intent" value="choose-password" />
      <PasswordField
        id="new-password"
        name="password"
        label={t("New password")}
        hint={hint}
        autoComplete="new-password"
        fault={chooses ? fault : undefined}
      />
      <div>
        <SubmitButton busy={t("Confirming…")}>{t("Set password and confirm")}</SubmitButton>
      </div>
    </Form>
  );
  return (
    <>
      <StepHeading title={t("Confirm your email address")}>
        <p>{t("@{username} was registered with your address in another browser.", { username })}</p>
      </StepHeading>
      <AccountFormErrors answer={answer} />
      {hasPassword && (
        <Form method="post" className="grid gap-4">
          {hidden}
          <input type="hidden" name="intent" value="show-password" />
          <PasswordField
            name="password"
            label={t("The password you chose when you registered")}
            autoComplete="current-password"
            fault={chooses ? undefined : fault}
          />
          <div>
            <SubmitButton busy={t("Confirming…")}>{t("Confirm email address")}</SubmitButton>
          </div>
        </Form>
      )}
      {hasPassword ? (
        <details className="mt-5" open={chooses}>
          <summary className="text-accent underline">{t("I don’t know the password")}</summary>
          <div className="mt-3">{choose}</div>
        </details>
      ) : (
        choose
      )}
    </>
  );
}
