import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { PasskeyError } from "./webauthn-browser.ts";

export function PasskeyErrorNotice({ fault }: { fault: PasskeyError | null }) {
  const t = useTranslate();
  if (fault === null) return null;
  const sentence = {
    closed: t("The passkey request was closed or timed out."),
    elsewhere: t("Passkeys work only at the public address of this site."),
    known: t("This device already has a passkey for your account."),
    failed: t("That did not work. Try again later."),
  }[fault];
  return <Notice tone="bad">{sentence}</Notice>;
}
