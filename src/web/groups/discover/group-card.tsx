import type { ComponentType } from "react";
import type { GroupCard as Card } from "#community/groups";
import { CountBadge, HeaderPicture, Time } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { MembershipAction } from "../join/membership-action.tsx";
import { useGroupTexts } from "../group-texts.ts";
import { Link } from "../../ui/navigation/link.tsx";

export type GroupCardData = Card & { can: { join: boolean; ask: boolean } };
type CardAction = ComponentType<{ group: GroupCardData }>;

/**
 * A group in a list: purpose, access, activity and the viewer's actions. `Deed` is an additional action of
 * the page.
 */
export function GroupCard({ group, Action }: { group: GroupCardData; Action?: CardAction }) {
  const t = useTranslate();
  const { access, members, role } = useGroupTexts();
  return (
    <li className="panel flex flex-col overflow-hidden" data-item>
      <HeaderPicture headerId={group.headerId} style={group.headerStyle} className="h-16 rounded-none!" />
      <div className="flex flex-1 flex-col p-4">
        <h3 className="flex items-baseline gap-2 font-serif text-large leading-6 font-semibold">
          <Link to={urls.group(group.slug)} dir="auto" className="min-w-0 break-words text-ink">
            {group.name}
          </Link>
          {group.pinned && (
            <i role="img" aria-label={t("Pinned")} className="icon icon-pin size-4 self-center" />
          )}
          {group.muted && (
            <i role="img" aria-label={t("Muted")} className="icon icon-bell-off size-4 self-center" />
          )}
          {group.unread > 0 && <CountBadge n={group.unread} fresh of={t("unread")} />}
        </h3>
        <p className="mt-0.5 text-small text-quiet">
          {access(group)}
          {group.viewerRole && group.viewerRole !== "member" && <> · {role[group.viewerRole]}</>}
          {group.state === "archived" && <> · {t("Archived")}</>}
          {group.state === "pending" && <> · {t("Awaiting approval")}</>}
        </p>
        {group.purpose && (
          <p dir="auto" className="mt-2 break-words">
            {group.purpose}
          </p>
        )}
        <div className="mt-auto flex flex-wrap items-end justify-between gap-x-3 gap-y-2 pt-3">
          <p className="text-small text-quiet figures">
            {members(group.membersCount)} ·{" "}
            <Rich text="active <0></0>" parts={{ 0: <Time at={group.lastActiveAt} /> }} />
            {group.friendsInside > 0 && (
              <span className="block">
                {t("{count, plural, one {# friend is a member} other {# friends are members}}", {
                  count: group.friendsInside,
                })}
              </span>
            )}
          </p>
          <span className="flex flex-wrap gap-2">
            <MembershipAction group={group} can={group.can} />
            {Action && <Action group={group} />}
          </span>
        </div>
      </div>
    </li>
  );
}

export const GroupCards = ({ rows, Action }: { rows: GroupCardData[]; Action?: CardAction }) => (
  <ul className="grid gap-4 phone:grid-cols-2">
    {rows.map((group) => (
      <GroupCard key={group.id} group={group} Action={Action} />
    ))}
  </ul>
);
