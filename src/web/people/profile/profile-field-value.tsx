import type { FieldAnswer } from "#community/accounts";
import { Tag } from "../../ui/index.ts";
import { useLocale } from "../../i18n/index.ts";

type Props = Pick<FieldAnswer, "kind" | "said">;

/** An answer to a profile field. URLs become links; other answers are text. */
export function ProfileFieldValue({ kind, said }: Props) {
  const locale = useLocale();
  const [text = ""] = said;
  if (kind === "choices")
    return (
      <span className="flex flex-wrap gap-2">
        {said.map((choice) => (
          <Tag key={choice}>{choice}</Tag>
        ))}
      </span>
    );
  // A date has no time zone: every reader sees the same day.
  if (kind === "date")
    return (
      <time dateTime={text}>
        {new Intl.DateTimeFormat(locale, { dateStyle: "long", timeZone: "UTC" }).format(
          new Date(`${text}T00:00:00Z`),
        )}
      </time>
    );
  if (/^https?:\/\/\S+$/i.test(text))
    return (
      <a href={text} dir="ltr" rel="noopener nofollow ugc me">
        {text.replace(/^https?:\/\/(www\.)?/i, "").replace(/\/$/, "")}
      </a>
    );
  return <span className={kind === "text" ? "whitespace-pre-line" : undefined}>{text}</span>;
}
