import { Search } from "lucide-react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { search } from "#community/search";
import { DiscussionList } from "../discussions/discussion-line.tsx";
import { asked } from "../forms.ts";
import { cardRows } from "../groups/card-rows.ts";
import { GroupCards } from "../groups/group-card.tsx";
import { PersonRow } from "../people/person-row.tsx";
import { ResourceLine } from "../resources/resource-line.tsx";
import { ButtonLink, Empty, PageHead, pageMeta } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading, showing } from "../visit.ts";
import { useWords } from "../words/index.ts";
import type { Route } from "./+types/search";

export const loader = reading(async ({ visit, viewer, db, url }) => {
  const q = asked(url, "q");
  showing(visit, "groups", "discussions", "resources", "people");
  if (!q) return { q, found: null };
  const { groups, ...found } = await search(db, viewer, q);
  return { q, found: { ...found, groups: cardRows(viewer, groups) } };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>(({ q }, t) => ({
  title: q ? t("Search: {words}", { words: q }) : t("Search"),
  hidden: true,
}));

/** One box, and what it finds in sections. */
export default function SearchPage({ loaderData: { q, found } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Search")} />
      <Form role="search" aria-label={t("Search everything")} className="mb-5 flex gap-2">
        <input
          key={q}
          type="search"
          name="q"
          defaultValue={q}
          maxLength={200}
          aria-label={t("Search everything")}
          placeholder={t("People, groups, discussions, resources")}
          className="input"
          autoFocus={q === ""}
        />
        <button type="submit" className="button" data-kind="primary">
          <Search size={16} strokeWidth={1.75} aria-hidden />
          {t("Search")}
        </button>
      </Form>
      {found ? (
        <Results q={q} found={found} />
      ) : (
        <p className="text-quiet">{t("The beginning of a word is enough, and accents do not matter.")}</p>
      )}
    </>
  );
}

function Results({
  q,
  found: { people, groups, discussions, resources },
}: {
  q: string;
  found: NonNullable<Route.ComponentProps["loaderData"]["found"]>;
}) {
  const t = useWords();
  const count = people.length + groups.length + discussions.length + resources.length;
  if (count === 0)
    return (
      <Empty
        title={t("Nothing found for “{words}”.", { words: q })}
        action={<ButtonLink to={urls.groups({ tab: "discover" })}>{t("Look through the groups")}</ButtonLink>}
      >
        {t("Try fewer or shorter words. Only what you may see is searched.")}
      </Empty>
    );
  return (
    <div className="grid gap-8">
      <p role="status" className="sr-only">
        {t("{count, plural, one {# result} other {# results}}", { count })}
      </p>
      {discussions.length > 0 && (
        <Section title={t("Discussions")}>
          <DiscussionList rows={discussions} />
        </Section>
      )}
      {groups.length > 0 && (
        <Section title={t("Groups")}>
          <GroupCards rows={groups} />
        </Section>
      )}
      {people.length > 0 && (
        <Section title={t("People")}>
          <ul>
            {people.map((person) => (
              <PersonRow key={person.id} person={person} />
            ))}
          </ul>
        </Section>
      )}
      {resources.length > 0 && (
        <Section title={t("Resources")}>
          <ul>
            {resources.map((row) => (
              <ResourceLine key={row.id} row={row} />
            ))}
          </ul>
        </Section>
      )}
    </div>
  );
}

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section aria-label={title}>
    <h2 className="mb-1 text-large font-semibold">{title}</h2>
    {children}
  </section>
);
