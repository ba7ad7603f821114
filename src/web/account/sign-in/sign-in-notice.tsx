import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Explains why another page sent the person to the sign-in page. */
export function SignInNotice({ after }: { after: string }) {
  const t = useTranslate();
  if (after === "address") return <Notice tone="good">{t("Your new email address is now in use.")}</Notice>;
  if (after === "left")
    return (
      <Notice>
        {t("Your account is deactivated. Sign in within 30 days to restore it; after that it is erased.")}
      </Notice>
    );
  if (after === "provider-not-allowed")
    return (
      <Notice tone="bad">
        {t(
          "Registration is closed, and no account on this site matches your account at the sign-in " +
            "provider.",
        )}
      </Notice>
    );
  if (after === "provider-gone")
    return (
      <Notice tone="bad">
        {t(
          "No account on this site matches your account at the sign-in provider, and your " +
            "invitation has expired. Ask the sender for a new one.",
        )}
      </Notice>
    );
  if (after === "provider-unavailable")
    return (
      <Notice tone="bad">
        {t("The sign-in provider isn't responding. Try again in a minute, or sign in another way.")}
      </Notice>
    );
  if (after === "provider-many")
    return <Notice tone="bad">{t("Too many attempts. Try again in a while.")}</Notice>;
  if (after.startsWith("provider"))
    return <Notice tone="bad">{t("This sign-in was not started in this browser. Start again.")}</Notice>;
  return null;
}
