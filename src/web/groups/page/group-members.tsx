import { PersonRow } from "../../people/person-row.tsx";
import { Link } from "../../ui/navigation/link.tsx";
import { ButtonLink, ChoiceLink, EmptyState, NextPageLink, ListSearch, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";
import { useGroupTexts } from "../group-texts.ts";

/** Members of the group: owners and moderators first. */
export function GroupMembers({
  data: { group, query, can },
  content: { rows, next },
}: {
  data: GroupData;
  content: GroupContent<"members">;
}) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  return (
    <>
      <h2 className="sr-only">{t("Members")}</h2>
      <ListSearch
        label={t("Search members")}
        hint={t("Name or username")}
        search={query.search}
        hiddenFields={{ tab: "members", who: query.who }}
        className="mb-2"
      />
      <MemberFilter group={group} query={query} />
      {can.manageMembers && (
        <p className="mb-2 text-small">
          <Link to={urls.manageGroup(group.slug, "members", { search: query.search })}>
            {t("Change roles, remove or ban members")}
          </Link>
        </p>
      )}
      {rows.length === 0 && <NoMembers group={group} query={query} />}
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
                {member.isFriend && <>{t("Friend")} · </>}
                <Rich text="joined <0></0>" parts={{ 0: <Time at={member.joinedAt} /> }} />
              </>
            }
          />
        ))}
      </ul>
      <NextPageLink
        to={
          next &&
          urls.group(group.slug, { tab: "members", search: query.search, who: query.who, after: next })
        }
      />
    </>
  );
}

type MemberQuery = Pick<GroupData, "group" | "query">;

/** Filters of the list. They are links, so that each selection has an address. */
function MemberFilter({ group, query: { search, who: now } }: MemberQuery) {
  const t = useTranslate();
  const choice = (label: string, who?: typeof now) => (
    <ChoiceLink to={urls.group(group.slug, { tab: "members", search, who })} current={who === now}>
      {label}
    </ChoiceLink>
  );
  return (
    <nav aria-label={t("Filter members")} className="mb-2 flex flex-wrap gap-1 text-small">
      {choice(t("Everyone"))}
      {choice(t("Moderators"), "leading")}
      {choice(t("Friends"), "friends")}
    </nav>
  );
}

function NoMembers({ group, query: { search, who } }: MemberQuery) {
  const t = useTranslate();
  const back = who && (
    <ButtonLink to={urls.group(group.slug, { tab: "members", search })}>{t("Show all members")}</ButtonLink>
  );
  if (who === "friends" && !search)
    return <EmptyState title={t("None of your friends is in this group.")} action={back} />;
  if (who === "leading" && !search)
    return <EmptyState title={t("This group has no moderators at the moment.")} action={back} />;
  return (
    <EmptyState title={t("No results.")} action={back}>
      {who ? t("Other members may match your search.") : t("Searches names and usernames of members.")}
    </EmptyState>
  );
}
