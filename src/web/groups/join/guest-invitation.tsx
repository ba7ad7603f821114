import { ButtonLink } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

/**
 * Shown to a guest with an invitation: they sign in or register, then return here. If registration is
 * closed, they need an account already.
 */
export function GuestInvitation({ token, registers }: { token: string; registers: boolean }) {
  const t = useTranslate();
  const next = urls.invite(token);
  return (
    <>
      <p className="mb-3">
        {registers
          ? t("Sign in or register first. You return here afterwards.")
          : t("Sign in first; you return here afterwards. This invitation does not allow registration.")}
      </p>
      <div className="flex flex-wrap gap-2">
        <ButtonLink kind="primary" to={urls.login({ next })}>
          {t("Sign in")}
        </ButtonLink>
        {registers && <ButtonLink to={urls.register({ next })}>{t("Register")}</ButtonLink>}
      </div>
    </>
  );
}
