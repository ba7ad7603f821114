import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { StepProps } from "../sign-in/login-step-page.tsx";
import PasskeySignIn from "../passkeys/passkey-sign-in.tsx";
import { useHasPasskeys } from "../passkeys/use-passkey.ts";
import { StepHeading } from "./step-heading.tsx";

/**
 * Page for people who follow the passkey link before the sign-in page has hydrated. `guest.js` loads the app
 * here without an action of the reader, since passkeys need scripts.
 */
export function PasskeyStep({ data }: StepProps) {
  const t = useTranslate();
  const has = useHasPasskeys();
  const { next, supportsPasskeys } = data;
  return (
    <div data-wake={supportsPasskeys || undefined}>
      <StepHeading title={t("Sign in with a passkey")}>
        <p>{t("Your device asks for your fingerprint, face or code and signs you in.")}</p>
      </StepHeading>
      {supportsPasskeys ? (
        <>
          <noscript>
            <p>{t("Passkeys need JavaScript in your browser.")}</p>
          </noscript>
          {has === false && <p>{t("This browser does not support passkeys.")}</p>}
          <PasskeySignIn context={{ next }} />
        </>
      ) : (
        <p>{t("Passkeys do not work at this address: they need a domain name and https.")}</p>
      )}
      <p className="mt-4">
        <Link to={urls.login({ next })}>{t("Sign in with a password")}</Link>
      </p>
    </div>
  );
}
