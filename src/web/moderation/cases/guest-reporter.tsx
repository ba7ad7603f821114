import type { GuestReporter } from "#community/moderation";
import { ActionForm } from "../../people/action-form.tsx";
import { Tag } from "../../ui/index.ts";
import { useFormResult } from "../../ui/forms/use-form-result.ts";
import { useTranslate } from "../../i18n/index.ts";

/** Returns the name of a guest who reported content; group moderators do not learn it. */
export function useGuestName() {
  const t = useTranslate();
  return ({ name }: GuestReporter): string => (name === null ? t("Guest") : t("{name} (guest)", { name }));
}

/** A guest who made a report, for staff with the address: masked until it is shown, which is logged. */
export function GuestReporterName({ guest, reportId }: { guest: GuestReporter; reportId: string }) {
  const t = useTranslate();
  const shown = useFormResult<{ reportId?: string; address?: string }>();
  if (guest.name === null) return <Tag>{t("Guest")}</Tag>;
  const address = shown?.reportId === reportId ? shown.address : undefined;
  return (
    <>
      <bdi className="break-words text-ink">{guest.name}</bdi>
      <Tag>{t("Guest")}</Tag>
      <bdi className="break-all">{address ?? guest.address}</bdi>
      {!address && (
        <ActionForm
          intent="show-guest-address"
          fields={{ reportId }}
          kind="quiet"
          busy={t("Requesting…")}
          label={t("Show email of {name} (this is logged)", { name: guest.name })}
        >
          {t("Show email")}
        </ActionForm>
      )}
    </>
  );
}
