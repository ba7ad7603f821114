import { Form } from "react-router";
import { ButtonLink, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { PasswordField } from "../password-field.tsx";
import { StepHeading } from "./step-heading.tsx";
import { isLinkExpired, ExpiredLink } from "./expired-link.tsx";

export function ConfirmNewEmail({ data, answer }: StepProps) {
  const t = useTranslate();
  if (isLinkExpired(data.token, answer))
    return (
      <ExpiredLink>
        {data.mine ? (
          <ButtonLink kind="primary" to={urls.settings(data.mine, "account", "email")}>
            {t("Request a new link in your settings")}
          </ButtonLink>
        ) : (
          <ButtonLink kind="primary" to={urls.login()}>
            {t("Sign in, then change it in your settings")}
          </ButtonLink>
        )}
      </ExpiredLink>
    );
  return (
    <>
      <StepHeading title={t("Confirm your new address")}>
        <p>{t("Emails then go to this address only, and you sign in with it.")}</p>
      </StepHeading>
      <Form method="post" className="grid gap-4">
        <AccountFormErrors answer={answer} />
        {asksForPassword(answer) && (
          <>
            <p>{t("You are not signed in to that account in this browser. Enter its password.")}</p>
            <input type="hidden" name="asked" value="1" />
            <PasswordField
              name="password"
              label={t("The password of your account")}
              autoComplete="current-password"
              fault={findRejectedForm(answer)?.refused.fields["password"]}
            />
          </>
        )}
        <SubmitButton busy={t("Confirming…")}>{t("Use this address")}</SubmitButton>
      </Form>
    </>
  );
}

/** Whether the form asks for the password, at first and again after a wrong password. */
const asksForPassword = (answer: unknown): boolean =>
  (typeof answer === "object" && answer !== null && "asks" in answer) ||
  findRejectedForm(answer)?.typed["asked"] === "1";
