import { directory } from "#community/people";
import { membersOnly } from "../auth.ts";
import { asked } from "../forms.ts";
import { ButtonLink, Empty, NextPage, PageHead, pageMeta, Tag, Time, SearchIn } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { reading } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import type { Route } from "./+types/directory";
import { PersonRow } from "./person-row.tsx";

export const middleware = [membersOnly];

export const loader = reading(async ({ db, viewer, url }) => {
  const search = asked(url, "search");
  return { search, ...(await directory(db, viewer, { search, after: asked(url, "after", 1000) || null })) };
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({ title: t("People"), hidden: true }));

export default function Directory({ loaderData: { search, people, next } }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead
        title={t("People")}
        lead={t("Everybody here who wants to be found.")}
        actions={<ButtonLink to={urls.friends()}>{t("Your friends")}</ButtonLink>}
      />
      <SearchIn label={t("Search people")} hint={t("Name or user name")} search={search} className="mb-2" />
      {people.length > 0 && (
        <ul>
          {people.map((person) => (
            <PersonRow key={person.id} person={person} line={<Line person={person} />} />
          ))}
        </ul>
      )}
      {people.length === 0 && (
        <div className="mt-5">
          <Empty
            title={search ? t("Nobody is called “{search}”.", { search }) : t("Nobody is here yet.")}
            action={search && <ButtonLink to={urls.people()}>{t("Show everybody")}</ButtonLink>}
          >
            {search && t("The search looks at the beginnings of names and user names.")}
          </Empty>
        </div>
      )}
      <NextPage to={next && urls.people({ search, after: next })} />
    </>
  );
}

function Line({ person }: { person: Route.ComponentProps["loaderData"]["people"][number] }) {
  const t = useWords();
  return (
    <span className="flex flex-wrap items-center gap-x-2">
      <span>
        <Rich text="Here since <0></0>" parts={[<Time at={person.joinedAt} />]} />
      </span>
      {person.role !== "member" && <Tag>{person.role === "admin" ? t("Admin") : t("Moderator of this place")}</Tag>}
    </span>
  );
}
