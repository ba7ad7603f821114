import { useRouteLoaderData } from "react-router";
import type { ShellData } from "../../layouts/default.tsx";
import { Tabs } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import { useTranslate } from "../../i18n/index.ts";

export function InboxTabs({ tab }: { tab: string }) {
  const t = useTranslate();
  const badges = useRouteLoaderData<ShellData>("layouts/default")?.badges;
  const place = (name: string, label: string, count?: number) => ({
    to: urls.messages(name === "all" ? {} : { tab: name }),
    label,
    current: tab === name,
    count,
  });
  return (
    <Tabs
      label={t("Conversations")}
      tabs={[
        place("all", t("All")),
        place("unread", t("Unread"), badges?.unreadConversations),
        place("groups", t("Groups")),
        place("requests", t("Requests"), badges?.messageRequests),
        place("archived", t("Archived")),
      ]}
    />
  );
}
