import { ButtonLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * Shown to a guest with an invitation: they register and then join at once, or sign in and return here. If
 * registration is closed, they need an account already.
 */
export function GuestInvitation({ token, registers }: { token: string; registers: boolean }) {
  const t = useTranslate();
  const next = urls.invite(token);
  if (!registers)
    return (
      <>
        <p className="mb-3">
          {t("Sign in first; you return here afterwards. This invitation does not allow registration.")}
        </p>
        <ButtonLink kind="primary" to={urls.login({ next })}>
          {t("Sign in")}
        </ButtonLink>
      </>
    );
  return (
    <div className="flex flex-wrap gap-2">
      <ButtonLink kind="primary" to={urls.register({ next })}>
        {t("Join")}
      </ButtonLink>
      <ButtonLink to={urls.login({ next })}>{t("I have an account")}</ButtonLink>
    </div>
  );
}
