import type { PersonCard } from "#community/common";
import { Avatar } from "../ui/index.ts";
import { useTranslate } from "../i18n/index.ts";

/** The person who invited the newcomer. */
export function InvitedBy({ by, group }: { by: PersonCard; group: { name: string; purpose: string } }) {
  const t = useTranslate();
  return (
    <section className="panel mb-5 flex gap-3 p-4" aria-label={t("Your invitation")}>
      <Avatar person={by} size={40} />
      <div className="min-w-0">
        <p dir="auto" className="break-words font-semibold">
          {t("{person} invited you to {group}.", { person: by.name, group: group.name })}
        </p>
        {group.purpose && (
          <p dir="auto" className="break-words text-quiet">
            {group.purpose}
          </p>
        )}
        <p className="text-small text-quiet">{t("After the setup, you continue in the group.")}</p>
      </div>
    </section>
  );
}
