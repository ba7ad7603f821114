import { urls } from "../../urls.ts";
import { ButtonLink } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../../ui/forms/form-result.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { TwoFactorForm } from "../sign-in/two-factor-form.tsx";
import { StepHeading } from "./step-heading.tsx";

export function TwoFactorStep({ data, answer, busy }: StepProps) {
  const t = useTranslate();
  if (!data.halfWay || findRejectedForm(answer)?.refused.reason === "gone")
    return (
      <>
        <StepHeading title={t("Sign in again")}>
          <p>{t("The second step has to follow within 10 minutes and 5 attempts.")}</p>
        </StepHeading>
        <ButtonLink kind="primary" to={urls.login({ next: data.next })}>
          {t("Sign in")}
        </ButtonLink>
      </>
    );
  return (
    <>
      <StepHeading title={t("Two-factor authentication")}>
        <p>{t("Your password was correct. Now confirm with your second factor.")}</p>
      </StepHeading>
      <TwoFactorForm context={{ next: data.next }} answer={answer} busy={busy} />
      {data.by === "passkey" && <PasskeySignIn context={{ next: data.next }} second />}
    </>
  );
}
