import type { ProfileTexts } from "#community/accounts";
import { useTranslate } from "../../i18n/index.ts";

const isAnswerName = (name: string): name is `answer:${string}` => name.startsWith("answer:");

/** Texts of a profile that wait for approval, except for the bio, which is shown as HTML. */
export function PendingProfile({ texts }: { texts: ProfileTexts }) {
  const t = useTranslate();
  const answers = Object.keys(texts).flatMap((name) => (isAnswerName(name) ? (texts[name] ?? []) : []));
  const rows = [
    { label: t("Pronouns"), value: texts.pronouns },
    { label: t("Location"), value: texts.location },
    ...(texts.fields ?? []),
    ...answers.map(({ label, said }) => ({ label, value: said.join(", ") })),
  ].filter(({ value }) => value);
  if (rows.length === 0) return null;
  return (
    <dl className="my-2 grid grid-cols-[minmax(0,1fr)] gap-x-6 gap-y-1 phone:grid-cols-[10rem_minmax(0,1fr)]">
      {rows.map(({ label, value }, i) => (
        <div key={`${i}-${label}`} className="contents">
          <dt dir="auto" className="font-semibold break-words">
            {label}
          </dt>
          <dd dir="auto" className="break-words">
            {value}
          </dd>
        </div>
      ))}
    </dl>
  );
}
