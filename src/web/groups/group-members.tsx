import { PersonRow } from "../people/person-row.tsx";
import { Link } from "../ui/link.tsx";
import { ButtonLink, ChoiceLink, Empty, NextPage, SearchIn, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useWords } from "../words/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";
import { useGroupWords } from "./words.ts";

/** Members of the group: owners and moderators first. */
export function GroupMembers({
  data: { group, query, may },
  content: { rows, next },
}: {
  data: GroupData;
  content: GroupContent<"members">;
}) {
  const t = useWords();
  const { role } = useGroupWords();
  return (
    <>
      <h2 className="sr-only">{t("Members")}</h2>
      <SearchIn
        label={t("Search the members")}
        hint={t("Name or user name")}
        search={query.search}
        keeping={{ tab: "members", who: query.who }}
        className="mb-2"
      />
      <Who group={group} query={query} />
      {may.manageMembers && (
        <p className="mb-2 text-small">
          <Link to={urls.manageGroup(group.slug, "members", { search: query.search })}>{t("Give roles, take out or keep out")}</Link>
        </p>
      )}
      {rows.length === 0 && <Nobody group={group} query={query} />}
      <ul>
        {rows.map((member) => (
          <PersonRow
            key={member.id}
            person={member}
            line={
              <>
                {member.role !== "member" && (
                  <>
                    <strong className="text-ink">{role[member.role]}</strong> ·{" "}
                  </>
                )}
                {member.isFriend && <>{t("Friend of yours")} · </>}
                <Rich text="here since <0></0>" parts={[<Time at={member.joinedAt} />]} />
              </>
            }
          />
        ))}
      </ul>
      <NextPage to={next && urls.group(group.slug, { tab: "members", search: query.search, who: query.who, after: next })} />
    </>
  );
}

type Asked = Pick<GroupData, "group" | "query">;

/** Filters of the list: links, so that each has its address. */
function Who({ group, query: { search, who: now } }: Asked) {
  const t = useWords();
  const choice = (label: string, who?: typeof now) => (
    <ChoiceLink to={urls.group(group.slug, { tab: "members", search, who })} current={who === now}>
      {label}
    </ChoiceLink>
  );
  return (
    <nav aria-label={t("Which members")} className="mb-2 flex flex-wrap gap-1 text-small">
      {choice(t("Everybody"))}
      {choice(t("Who looks after it"), "leading")}
      {choice(t("Friends of yours"), "friends")}
    </nav>
  );
}

function Nobody({ group, query: { search, who } }: Asked) {
  const t = useWords();
  const back = who && <ButtonLink to={urls.group(group.slug, { tab: "members", search })}>{t("Show everybody")}</ButtonLink>;
  if (who === "friends" && !search) return <Empty title={t("No friend of yours is in this group.")} action={back} />;
  if (who === "leading" && !search) return <Empty title={t("Nobody looks after this group at the moment.")} action={back} />;
  return (
    <Empty title={t("Nobody here is called that.")} action={back}>
      {who ? t("Among all members there may be somebody.") : t("The search looks at names and user names of the members.")}
    </Empty>
  );
}
