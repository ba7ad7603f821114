import { type FetcherWithComponents, useFetcher } from "react-router";
import { Button } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import { AccountFormErrors } from "../account-form-errors.tsx";
import type { SignInContext } from "../sign-in/sign-in-form.tsx";
import { PasskeyErrorNotice } from "./passkey-error.tsx";
import { useHasPasskeys, usePasskey } from "./use-passkey.ts";

type Props = {
  context: SignInContext;
  /** Fetcher of the surrounding dialog, which reads the responses. */
  fetcher?: FetcherWithComponents<unknown>;
  /** Whether the passkey is the second factor, after the password. */
  second?: boolean;
  /** Address of the link that is shown before hydration; without it, nothing is shown until then. */
  href?: string;
};

/** Sign-in with a passkey, or a passkey as the second factor. */
export default function PasskeySignIn({ context, fetcher, second = false, href }: Props) {
  const t = useTranslate();
  const own = useFetcher<unknown>();
  const has = useHasPasskeys();
  const { fault, busy, start } = usePasskey({
    fetcher: fetcher ?? own,
    action: urls.loginPage(second ? "second-step" : "passkey"),
    begin: "passkey",
    finish: "passkey-signed",
  });
  const { next, kept, keptPlace, over } = context;
  const press = () =>
    start({ next, kept: kept ?? "", keptPlace: keptPlace ?? "", ...(over && { over: "1" }) });
  const label = (
    <>
      <i className="icon icon-key-round" />
      {busy ? t("One moment…") : second ? t("Use a passkey") : t("Sign in with a passkey")}
    </>
  );
  if (!has && !href) return null;
  return (
    <div className="mt-4 grid gap-3">
      {!fetcher && <AccountFormErrors answer={own.data} />}
      <PasskeyErrorNotice fault={fault} />
      {href && !has ? (
        <a href={href} className="button">
          {label}
        </a>
      ) : (
        <Button onClick={press} aria-disabled={busy || undefined}>
          {label}
        </Button>
      )}
    </div>
  );
}
