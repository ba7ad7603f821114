import { useWords } from "../words/index.ts";
import { Act } from "./act.tsx";

type Whom = { id: string; name: string };

/** Menu items to mute a person for a time. They are not notified. */
export function MuteActs({ person: { id, name } }: { person: Whom }) {
  const t = useWords();
  const lengths = [
    ["day", t("For a day")],
    ["week", t("For a week")],
    ["month", t("For a month")],
    ["always", t("Until you take it back")],
  ] as const;
  return (
    <details className="group/confirm">
      <summary className="menu-item">{t("Mute…")}</summary>
      <p className="max-w-64 px-2.5 pt-1 text-small text-quiet">
        {t("You are told nothing of {name}, and their posts stand folded. They do not learn of it.", { name })}
      </p>
      {lengths.map(([length, label]) => (
        <Act key={length} inMenu intent="mute" fields={{ personId: id, length }} busy={t("Muting…")}>
          {label}
        </Act>
      ))}
    </details>
  );
}

export function UnmuteAct({ person: { id, name } }: { person: Whom }) {
  const t = useWords();
  return (
    <Act inMenu intent="unmute" fields={{ personId: id }} busy={t("One moment…")} label={t("Unmute {name}", { name })}>
      {t("Unmute")}
    </Act>
  );
}
