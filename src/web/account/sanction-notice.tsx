import type { OwnSanction } from "#community/accounts";
import { dateFormat } from "../ui/text/intl-formats.ts";
import { Notice, Time, useRootData } from "../ui/index.ts";
import { Rich, useLocale, useTranslate } from "../i18n/index.ts";

/** The sanction on the viewer's own account, its reason and its end. */
export function SanctionNotice({ state, reason, since, until }: OwnSanction) {
  const t = useTranslate();
  const locale = useLocale();
  const { timeZone } = useRootData();
  const date = until && dateFormat(locale, { dateStyle: "long", timeZone }).format(new Date(until));
  const says =
    state === "suspended"
      ? date
        ? t("This account is suspended until {date}.", { date })
        : t("This account is suspended.")
      : date
        ? t("Until {date}, you can only read, and message people you know.", { date })
        : t("For now, you can only read, and message people you know.");
  return (
    <Notice>
      <p className="font-semibold">{says}</p>
      {reason && (
        <p dir="auto" className="break-words whitespace-pre-line">
          {t("Reason: {reason}", { reason })}
        </p>
      )}
      <p className="text-small text-quiet">
        <Rich text="Decided <0></0>" parts={{ 0: <Time at={since} /> }} />
      </p>
    </Notice>
  );
}
