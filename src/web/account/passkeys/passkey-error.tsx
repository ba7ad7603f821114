import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { PasskeyError } from "./webauthn-browser.ts";

export function PasskeyErrorNotice({ fault }: { fault: PasskeyError | null }) {
  const t = useTranslate();
  if (fault === null) return null;
  const sentence = {
    closed: t("Nothing came of it: the question was closed, or there was no answer for too long."),
    elsewhere: t("Passkeys work at the public address of this place only."),
    known: t("This device has a passkey for your account already."),
    failed: t("That did not work. Please try again later."),
  }[fault];
  return <Notice tone="bad">{sentence}</Notice>;
}
