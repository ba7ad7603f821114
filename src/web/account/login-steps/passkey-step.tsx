import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { useHasPasskeys } from "../passkeys/use-passkey.ts";
import { StepHeading } from "./step-heading.tsx";

/**
 * For people who were quicker than the previous page. It hydrates on its own (`guest.js`), since passkeys
 * need scripts.
 */
export function PasskeyPage({ data }: StepProps) {
  const t = useTranslate();
  const has = useHasPasskeys();
  const { next, takesPasskeys } = data;
  return (
    <div data-wake={takesPasskeys || undefined}>
      <StepHeading title={t("Sign in with a passkey")}>
        <p>{t("Your device asks for your finger, your face or its code, and signs you in.")}</p>
      </StepHeading>
      {takesPasskeys ? (
        <>
          <noscript>
            <p>{t("For a passkey, your browser has to run scripts.")}</p>
          </noscript>
          {has === false && <p>{t("This browser has no passkeys.")}</p>}
          <PasskeySignIn way={{ next }} />
        </>
      ) : (
        <p>{t("There are none at this address: passkeys need one with a name, and https.")}</p>
      )}
      <p className="mt-4">
        <Link to={urls.login({ next })}>{t("Sign in with a password")}</Link>
      </p>
    </div>
  );
}
