import { useTranslate } from "../../i18n/index.ts";
import { ActionForm } from "../action-form.tsx";

type MutedPerson = { id: string; name: string };

/** Menu items that mute a person for a time. The person is not notified. */
export function MuteActions({ person: { id, name } }: { person: MutedPerson }) {
  const t = useTranslate();
  const lengths = [
    ["day", t("For a day")],
    ["week", t("For a week")],
    ["month", t("For a month")],
    ["always", t("Until you unmute them")],
  ] as const;
  return (
    <details className="group/confirm">
      <summary className="menu-item">{t("Mute…")}</summary>
      <p className="max-w-64 px-2.5 pt-1 text-small text-quiet">
        {t("You get no notifications from {name}, and their posts are collapsed. They are not notified.", {
          name,
        })}
      </p>
      {lengths.map(([length, label]) => (
        <ActionForm key={length} inMenu intent="mute" fields={{ personId: id, length }} busy={t("Muting…")}>
          {label}
        </ActionForm>
      ))}
    </details>
  );
}

export function UnmuteAction({ person: { id, name } }: { person: MutedPerson }) {
  const t = useTranslate();
  return (
    <ActionForm
      inMenu
      intent="unmute"
      fields={{ personId: id }}
      busy={t("One moment…")}
      label={t("Unmute {name}", { name })}
    >
      {t("Unmute")}
    </ActionForm>
  );
}
