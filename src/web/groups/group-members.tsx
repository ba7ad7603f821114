import { Search } from "lucide-react";
import { Form } from "react-router";
import { PersonRow } from "../people/person-row.tsx";
import { Empty, NextPage, Time } from "../ui/index.ts";
import { urls } from "../urls.ts";
import { Rich, useWords } from "../words/index.ts";
import type { GroupContent, GroupData } from "./group-data.ts";
import { useGroupWords } from "./words.ts";

/** Who is in the group: those who look after it first. */
export function GroupMembers({ data: { group, query }, content: { rows, next } }: { data: GroupData; content: GroupContent<"members"> }) {
  const t = useWords();
  const { role } = useGroupWords();
  return (
    <>
      <h2 className="sr-only">{t("Members")}</h2>
      <Form role="search" aria-label={t("Search the members")} className="mb-2 flex gap-2">
        <input type="hidden" name="tab" value="members" />
        <input
          key={query.search}
          type="search"
          name="search"
          defaultValue={query.search}
          maxLength={200}
          aria-label={t("Search the members")}
          placeholder={t("Name or user name")}
          className="input"
        />
        <button type="submit" className="button">
          <Search size={16} strokeWidth={1.75} aria-hidden />
          {t("Search")}
        </button>
      </Form>
      {rows.length === 0 && (
        <Empty title={t("Nobody here is called that.")}>{t("The search looks at names and user names of the members.")}</Empty>
      )}
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
      <NextPage to={next && urls.group(group.slug, { tab: "members", search: query.search, after: next })} />
    </>
  );
}
