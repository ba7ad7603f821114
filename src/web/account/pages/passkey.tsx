import { Link } from "../../ui/link.tsx";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import type { StepProps } from "../login-page.tsx";
import PasskeyWay from "../passkeys/passkey-way.tsx";
import { useHasPasskeys } from "../passkeys/use-passkey.ts";
import { Heading } from "./heading.tsx";

/**
 * For people who were quicker than the previous page. It hydrates on its own (`guest.js`), since passkeys
 * need scripts.
 */
export function Passkey({ data }: StepProps) {
  const t = useWords();
  const has = useHasPasskeys();
  const { next, takesPasskeys } = data;
  return (
    <div data-wake={takesPasskeys || undefined}>
      <Heading title={t("Sign in with a passkey")}>
        <p>{t("Your device asks for your finger, your face or its code, and signs you in.")}</p>
      </Heading>
      {takesPasskeys ? (
        <>
          <noscript>
            <p>{t("For a passkey, your browser has to run scripts.")}</p>
          </noscript>
          {has === false && <p>{t("This browser has no passkeys.")}</p>}
          <PasskeyWay way={{ next }} />
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
