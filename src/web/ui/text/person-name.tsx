import { useTranslate } from "../../i18n/index.ts";
import { urls } from "../../urls.ts";
import { Tag } from "../basic-components.tsx";
import { Link } from "../navigation/link.tsx";

type Named = { id: string; name: string; isBot?: boolean };

/** The name of an author, linked to the profile. A bot has no profile, and a mark beside its name. */
export function PersonName({ person, className }: { person: Named; className?: string }) {
  const t = useTranslate();
  if (!person.isBot)
    return (
      <Link to={urls.person(person.id)} dir="auto" className={className}>
        {person.name}
      </Link>
    );
  return (
    <>
      <span dir="auto" className={`break-words ${className ?? ""}`}>
        {person.name}
      </span>{" "}
      <Tag>{t("Bot")}</Tag>
    </>
  );
}

/** Returns a name for sentences, in which a bot is marked too. */
export function useMarkedName(): (person: { name: string; isBot?: boolean }) => string {
  const t = useTranslate();
  return ({ name, isBot }) => (isBot ? t("{name} (bot)", { name }) : name);
}
