import { useTranslate } from "../../../i18n/index.ts";
import { OneTimeSecret } from "../../../ui/forms/one-time-secret.tsx";

/** A new token, shown only once. */
export function CreatedToken({ name, token }: { name: string; token: string }) {
  const t = useTranslate();
  return (
    <OneTimeSecret
      title={t("Token “{name}” was created", { name })}
      hint={t(
        "Copy the token now: it is shown only once. Anyone who has it can act as you within its scopes.",
      )}
      secret={token}
      copyLabel={t("Copy token")}
    />
  );
}
