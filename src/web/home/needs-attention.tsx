import type { ReactNode } from "react";
import type { PendingTasks } from "#community/notifications";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { Link } from "../ui/navigation/link.tsx";

/** Tasks that need the viewer's attention; nothing if there are none. */
export function NeedsAttention({
  waiting: {
    friendRequests,
    groupInvitations,
    requestsToDecide,
    appealsToAnswer,
    messageRequests,
    arriving,
    accounts,
    atTheDesk,
    reports,
    firstPosts,
  },
}: {
  waiting: PendingTasks;
}) {
  const t = useTranslate();
  const lines: ReactNode[] = [
    ...(arriving
      ? [
          <TaskRow key="arriving" to={urls.welcome()} icon="icon-users">
            {t("Continue the welcome pages")}
          </TaskRow>,
        ]
      : []),
    ...friendRequests.map(({ person }) => (
      <TaskRow key={person.id} to={urls.friends({ tab: "received" })} icon="icon-hand-heart">
        {t("{name} sent you a friend request", { name: person.name })}
      </TaskRow>
    )),
    ...groupInvitations.map(({ group, by }) => (
      <TaskRow key={group.id} to={urls.group(group.slug)} icon="icon-users">
        {by
          ? t("{name} invites you to {group}", { name: by.name, group: group.name })
          : t("You are invited to {group}", { group: group.name })}
      </TaskRow>
    )),
    ...requestsToDecide.map(({ group, count }) => (
      <TaskRow key={group.id} to={urls.manageGroup(group.slug, "requests")} icon="icon-inbox">
        {t("{count, plural, one {# join request for {group}} other {# join requests for {group}}}", {
          count,
          group: group.name,
        })}
      </TaskRow>
    )),
    ...appealsToAnswer.map(({ group, count }) => (
      <TaskRow key={`appeals-${group.id}`} to={urls.manageGroup(group.slug, "members")} icon="icon-users">
        {t("{count, plural, one {# ban appeal in {group}} other {# ban appeals in {group}}}", {
          count,
          group: group.name,
        })}
      </TaskRow>
    )),
    ...(accounts > 0
      ? [
          <TaskRow key="accounts" to={urls.accounts({ state: "pending_approval" })} icon="icon-inbox">
            {t(
              "{count, plural, one {# registration awaits approval} other {# registrations await approval}}",
              { count: accounts },
            )}
          </TaskRow>,
        ]
      : []),
    ...(atTheDesk > 0
      ? [
          <TaskRow key="desk" to={urls.groupsDesk()} icon="icon-inbox">
            {t("{count, plural, one {# group awaits approval} other {# groups await approval}}", {
              count: atTheDesk,
            })}
          </TaskRow>,
        ]
      : []),
    ...(reports > 0
      ? [
          <TaskRow key="reports" to={urls.moderation()} icon="icon-flag">
            {t("{count, plural, one {# open report} other {# open reports}}", { count: reports })}
          </TaskRow>,
        ]
      : []),
    ...(firstPosts > 0
      ? [
          <TaskRow key="first-posts" to={urls.moderation({ tab: "posts" })} icon="icon-inbox">
            {t("{count, plural, one {# post awaits approval} other {# posts await approval}}", {
              count: firstPosts,
            })}
          </TaskRow>,
        ]
      : []),
    ...(messageRequests > 0
      ? [
          <TaskRow key="messages" to={urls.messages({ tab: "requests" })} icon="icon-inbox">
            {t("{count, plural, one {# message request} other {# message requests}}", {
              count: messageRequests,
            })}
          </TaskRow>,
        ]
      : []),
  ];
  if (lines.length === 0) return null;
  return (
    <section aria-labelledby="waiting" className="mb-5 rounded-panel bg-amber-soft px-4 py-2">
      <h2 id="waiting" className="text-small font-semibold text-amber">
        {t("Needs your attention")}
      </h2>
      <ul>{lines}</ul>
    </section>
  );
}

const TaskRow = ({ to, icon, children }: { to: string; icon: string; children: ReactNode }) => (
  <li>
    <Link to={to} className="flex min-h-8 items-center gap-2.5 py-1 text-ink">
      <i className={`icon ${icon} text-amber`} />
      <span dir="auto" className="min-w-0 break-words">
        {children}
      </span>
    </Link>
  </li>
);
