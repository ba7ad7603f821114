import { urls } from "../../urls.ts";
import { ButtonLink } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import { findRejectedForm } from "../account-form-errors.tsx";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { TwoFactorForm } from "../sign-in/two-factor-form.tsx";
import { StepHeading } from "./step-heading.tsx";

export function TwoFactorStep({ data, answer, busy }: StepProps) {
  const t = useTranslate();
  if (!data.halfWay || findRejectedForm(answer)?.refused.reason === "gone")
    return (
      <>
        <StepHeading title={t("Please sign in once more")}>
          <p>{t("The second step has to follow within ten minutes and five tries.")}</p>
        </StepHeading>
        <ButtonLink kind="primary" to={urls.login({ next: data.next })}>
          {t("Sign in")}
        </ButtonLink>
      </>
    );
  return (
    <>
      <StepHeading title={t("One more step")}>
        <p>{t("Your password was right. Now show that your phone is with you.")}</p>
      </StepHeading>
      <TwoFactorForm way={{ next: data.next }} answer={answer} busy={busy} />
      {data.by === "passkey" && <PasskeySignIn way={{ next: data.next }} second />}
    </>
  );
}
