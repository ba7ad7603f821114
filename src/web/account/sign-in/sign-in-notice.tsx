import { Notice } from "../../ui/index.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Explains why another page sent the person to the sign-in page. */
export function SignInNotice({ after }: { after: string }) {
  const t = useTranslate();
  if (after === "confirmed") return <Notice tone="good">{t("Thank you: your address is confirmed. Sign in to begin.")}</Notice>;
  if (after === "address") return <Notice tone="good">{t("Your new address holds from now on.")}</Notice>;
  if (after === "left")
    return <Notice>{t("Your account is closed. Sign in within 30 days to have everything back; after that it is erased.")}</Notice>;
  if (after === "provider-not-allowed")
    return <Notice tone="bad">{t("Registration is closed here, and there is no account that goes with yours over there.")}</Notice>;
  if (after === "provider-gone")
    return (
      <Notice tone="bad">
        {t("There is no account that goes with yours over there, and your invitation is over. Ask whoever gave it to you for a new one.")}
      </Notice>
    );
  if (after === "provider-unavailable")
    return <Notice tone="bad">{t("The other house does not answer at the moment. Try again later, or sign in another way.")}</Notice>;
  if (after === "provider-many") return <Notice tone="bad">{t("That was a bit much at once. Please try again in a while.")}</Notice>;
  if (after.startsWith("provider"))
    return <Notice tone="bad">{t("That sign-in does not fit what was begun in this browser. Please start once more.")}</Notice>;
  return null;
}
