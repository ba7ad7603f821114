import { KeyRound } from "lucide-react";
import { type FetcherWithComponents, useFetcher } from "react-router";
import { Button } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useWords } from "../../words/index.ts";
import { Faults } from "../faults.tsx";
import type { Way } from "../sign-in-form.tsx";
import { FaultNotice } from "./fault-notice.tsx";
import { useHasPasskeys, usePasskey } from "./use-passkey.ts";

type Props = {
  way: Way;
  /** That of a dialog, which looks at its answers. */
  fetcher?: FetcherWithComponents<unknown>;
  /** Between the two steps of signing in. */
  second?: boolean;
  /** Where it leads while the page is not awake; without an address there is nothing until then. */
  href?: string;
};

/** Signing in with a passkey, or showing one after the password. */
export default function PasskeyWay({ way, fetcher, second = false, href }: Props) {
  const t = useWords();
  const own = useFetcher<unknown>();
  const has = useHasPasskeys();
  const { fault, busy, start } = usePasskey({
    fetcher: fetcher ?? own,
    action: urls.loginPage(second ? "second-step" : "passkey"),
    begin: "passkey",
    finish: "passkey-signed",
  });
  const { next, kept, keptPlace, over } = way;
  const press = () => start({ next, kept: kept ?? "", keptPlace: keptPlace ?? "", ...(over && { over: "1" }) });
  const label = (
    <>
      <KeyRound size={18} strokeWidth={1.75} aria-hidden />
      {busy ? t("One moment…") : second ? t("Use a passkey") : t("Sign in with a passkey")}
    </>
  );
  if (!has && !href) return null;
  return (
    <div className="mt-4 grid gap-3">
      {!fetcher && <Faults answer={own.data} />}
      <FaultNotice fault={fault} />
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
