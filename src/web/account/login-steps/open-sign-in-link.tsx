import { Form } from "react-router";
import { ButtonLink, CheckField, SubmitButton } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import { StepHeading } from "./step-heading.tsx";
import { isLinkExpired, ExpiredLink } from "./expired-link.tsx";

export function OpenSignInLink({ data, answer }: StepProps) {
  const t = useTranslate();
  if (isLinkExpired(data.token, answer))
    return (
      <ExpiredLink>
        <ButtonLink kind="primary" to={urls.loginPage("ask-link")}>
          {t("Send a new link")}
        </ButtonLink>
        <ButtonLink to={urls.login()}>{t("Sign in with a password")}</ButtonLink>
      </ExpiredLink>
    );
  const elsewhere = typeof answer === "object" && answer !== null && "elsewhere" in answer;
  return (
    <>
      <StepHeading title={elsewhere ? t("Sign in on this device?") : t("Sign in with a link")}>
        <p>
          {elsewhere
            ? t(
                "This link was requested in another browser. Continue only if that was you; if someone " +
                  "sent you the link, close this page.",
              )
            : t("Confirm to sign in. The link works once.")}
        </p>
      </StepHeading>
      <Form method="post" className="grid gap-4">
        <AccountFormErrors answer={answer} />
        {elsewhere && <input type="hidden" name="confirmed" value="1" />}
        <CheckField name="stay" label={t("Stay signed in on this device")} defaultChecked />
        <SubmitButton busy={t("Signing in…")}>
          {elsewhere ? t("Yes, sign in here") : t("Sign in")}
        </SubmitButton>
      </Form>
    </>
  );
}
