import type { ReactNode } from "react";
import { DevMailboxHint } from "../../account/login-steps/dev-mailbox-hint.tsx";
import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Shown after a guest's report: it counts once the guest has confirmed it. */
export function GuestConfirmation({ back }: { back: ReactNode }) {
  const t = useTranslate();
  return (
    <>
      <Notice tone="good">
        <p className="font-semibold">{t("Check your inbox")}</p>
        <p>
          {t(
            "We have sent you an email. Open the link in it within two days to confirm your report; moderators " +
              "see it only then.",
          )}
        </p>
      </Notice>
      <p className="mt-4 flex flex-wrap gap-3">{back}</p>
      <DevMailboxHint />
    </>
  );
}
