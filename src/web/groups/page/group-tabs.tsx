import { Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";
import type { GroupData, GroupTab } from "./group-data.ts";

type TabsProps = { data: Pick<GroupData, "group" | "can">; current: GroupTab | "events" };

/** Tabs of a group. The calendar is a separate page, so the other tabs do not load its scripts. */
export function GroupTabs({ data: { group, can }, current }: TabsProps) {
  const t = useTranslate();
  if (!can.read && !can.manage) return null;
  const tab = (name: GroupTab, label: string, count?: number) => ({
    to: urls.group(group.slug, name === "discussions" ? {} : { tab: name }),
    label,
    current: current === name,
    count,
  });
  const tabs = [
    ...(can.read
      ? [
          tab("discussions", t("Discussions")),
          {
            to: urls.groupEvents(group.slug),
            label: t("Events", undefined, "calendar"),
            current: current === "events",
          },
          tab("resources", t("Resources"), group.resourcesCount),
        ]
      : []),
    ...(can.seeMembers ? [tab("members", t("Members"), group.membersCount)] : []),
    tab("about", t("About")),
    ...(can.manage
      ? [
          {
            to: urls.manageGroup(group.slug),
            label: t("Manage"),
            current: false,
            count: group.requestsCount + group.appealsCount,
          },
        ]
      : []),
    ...(!can.manage && can.invite
      ? [{ to: urls.manageGroup(group.slug, "invitations"), label: t("Invite"), current: false }]
      : []),
  ];
  return <Tabs label={t("In this group")} tabs={tabs} wraps="wide" />;
}
