import { Form } from "react-router";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { PersonRow } from "../../people/person-row.tsx";
import { EmptyState, Menu, NextPageLink, SubmitButton, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { useGroupTexts } from "../group-texts.ts";
import { BannedPeople, PeopleWithAppeals } from "./banned-people.tsx";
import type { ManageContent, ManageData } from "./manage-group-data.ts";

type ManageMembersProps = { data: ManageData; content: ManageContent<"members"> };

/** Members with their roles, and banned people. */
export function ManageMembers({
  data: { group, search },
  content: { rows, next, banned },
}: ManageMembersProps) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  return (
    <>
      <PeopleWithAppeals banned={banned.rows} />
      <h2 className="sr-only">{t("Members")}</h2>
      <Form role="search" aria-label={t("Search members")} className="mb-2 flex gap-2">
        <input
          key={search}
          type="search"
          name="search"
          defaultValue={search}
          maxLength={200}
          aria-label={t("Search members")}
          placeholder={t("Name or username")}
          className="input"
        />
        <button type="submit" className="button">
          <i className="icon icon-search size-4" />
          {t("Search")}
        </button>
      </Form>
      {rows.length === 0 && banned.rows.length === 0 && (
        <EmptyState title={t("No results.")}>
          {t("Searches names and usernames of members and banned people.")}
        </EmptyState>
      )}
      <ul>
        {rows.map((member) => (
          <PersonRow
            key={member.id}
            person={member}
            line={
              <>
                <strong className="text-ink">{role[member.role]}</strong> ·{" "}
                <Rich text="joined <0></0>" parts={{ 0: <Time at={member.joinedAt} /> }} />
              </>
            }
            actions={<MemberActions member={member} />}
          />
        ))}
      </ul>
      <NextPageLink to={next && urls.manageGroup(group.slug, "members", { search, after: next })} />
      <BannedPeople
        banned={banned.rows}
        more={
          banned.next && `${urls.manageGroup(group.slug, "members", { search, kept: banned.next })}#kept-out`
        }
      />
    </>
  );
}

type ManagedMember = ManageContent<"members">["rows"][number];

/** Actions on one member. Viewers have none on themselves, since people cannot change their own role. */
function MemberActions({ member }: { member: ManagedMember }) {
  const t = useTranslate();
  const { role } = useGroupTexts();
  if (!member.can.setRole && !member.can.remove) return null;
  const others = (["member", "moderator", "owner"] as const).filter((it) => it !== member.role);
  return (
    <Menu label={t("Manage {name}…", { name: member.name })} summary={t("Manage…")} kind="plain">
      {member.can.setRole &&
        others.map((it) => (
          <ActionForm
            key={it}
            inMenu
            intent="role"
            fields={{ personId: member.id, role: it }}
            busy={t("Saving…")}
          >
            {t("New role: {role}", { role: role[it] })}
          </ActionForm>
        ))}
      {member.can.remove && (
        <>
          <ReasonForm
            member={member}
            intent="remove"
            ask={t("Remove…")}
            consequence={t("They can join again like anyone else.")}
            act={t("Remove")}
          />
          <ReasonForm
            member={member}
            intent="ban"
            ask={t("Ban…")}
            consequence={t(
              "They are removed from the group and cannot join again until the ban ends. They can read the " +
                "reason and appeal.",
            )}
            act={t("Ban")}
            days
          />
        </>
      )}
    </Menu>
  );
}

type ReasonFormProps = {
  member: ManagedMember;
  intent: "remove" | "ban";
  ask: string;
  consequence: string;
  act: string;
  days?: boolean;
};

function ReasonForm({ member, intent, ask, consequence, act, days = false }: ReasonFormProps) {
  const t = useTranslate();
  const field = `${intent}-${member.id}`;
  return (
    <details>
      <summary className="menu-item text-red">{ask}</summary>
      <Form method="post" preventScrollReset className="grid w-64 gap-2 px-2.5 pb-2">
        <input type="hidden" name="intent" value={intent} />
        <input type="hidden" name="personId" value={member.id} />
        <p className="text-small text-quiet">{consequence}</p>
        <label htmlFor={field} className="text-small">
          {t("Reason (for {name} and the log)", { name: member.name })}
        </label>
        <input
          id={field}
          name="reason"
          required
          maxLength={LIMITS.reason}
          dir="auto"
          autoComplete="off"
          className="input"
        />
        {days && (
          <>
            <label htmlFor={`${field}-days`} className="text-small">
              {t("Duration")}
            </label>
            <select id={`${field}-days`} name="days" className="input">
              {[1, 7, 30, 365].map((count) => (
                <option key={count} value={count}>
                  {t("{count, plural, one {one day} other {# days}}", { count })}
                </option>
              ))}
              <option value="">{t("Indefinitely")}</option>
            </select>
          </>
        )}
        <SubmitButton kind="danger" busy={t("Saving…")}>
          {act}
        </SubmitButton>
      </Form>
    </details>
  );
}
