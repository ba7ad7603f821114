import type { ReactNode } from "react";
import type { Group } from "#community/groups";
import { PersonLink } from "../../ui/index.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

const MAX_MODERATORS = 5;
const MAX_RULES = 6;

type GroupAsideProps = { data: { group: Group; about: string } };

/** Beside the pages of a group: the beginning of its description, its moderators and its rules. */
export function GroupAside({ data: { group, about } }: GroupAsideProps) {
  const t = useTranslate();
  const { moderators, rules } = group;
  const more = (
    <Link to={urls.group(group.slug, { tab: "about" })} className="text-small">
      {t("About the group")}
    </Link>
  );
  return (
    <>
      {about && (
        <AsideSection title={t("About")}>
          <p dir="auto" className="mb-1 break-words">
            {about}
          </p>
          {more}
        </AsideSection>
      )}
      {moderators.length > 0 && (
        <AsideSection title={t("Moderators")}>
          <ul className="grid gap-2">
            {moderators.slice(0, MAX_MODERATORS).map((person) => (
              <li key={person.id} className="flex min-w-0">
                <PersonLink person={person} size={24} />
              </li>
            ))}
          </ul>
        </AsideSection>
      )}
      {rules.length > 0 && (
        <AsideSection title={t("Rules")}>
          <ol dir="auto" className="list-decimal ps-5 break-words">
            {rules.slice(0, MAX_RULES).map((rule) => (
              <li key={rule} className="mt-1">
                {rule}
              </li>
            ))}
          </ol>
          {rules.length > MAX_RULES && more}
        </AsideSection>
      )}
    </>
  );
}

const AsideSection = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title} className="mb-6 px-2.5">
    <h2 className="mb-1 text-small font-semibold text-quiet">{title}</h2>
    {children}
  </section>
);
