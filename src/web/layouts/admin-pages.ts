import { useLocation } from "react-router";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";

type AdminPage = { to: string; label: string };
/** A section of the administration. Its first page has the section's address. */
export type AdminSection = AdminPage & {
  /** Name of an icon in styles/icons.css. */
  icon: string;
  pages: AdminPage[];
};

/** Sections that the viewer may open: all for admins, some for site moderators, else reports only. */
export function useAdminSections(): AdminSection[] {
  const t = useTranslate();
  const { admin, reports } = useRootData();
  const section = (icon: string, label: string, ...pages: [to: string, label: string][]): AdminSection => ({
    icon,
    label,
    to: pages[0]![0],
    pages: pages.map(([to, name]) => ({ to, label: name })),
  });
  const casesPage: [string, string] = [urls.moderation(), t("Cases")];
  const prevention: [string, string][] = [
    [urls.watchedWords(), t("Watched words")],
    [urls.linkDomains(), t("Link domains")],
    [urls.blockedAddresses(), t("Blocked addresses")],
  ];
  const groups = section("messages-square", t("Groups"), [urls.groupsDesk(), t("Groups awaiting approval")]);
  const members: [string, string] = [urls.accounts(), t("Members")];
  if (!reports) return [section("flag", t("Moderation"), casesPage)];
  if (!admin)
    return [
      section("flag", t("Moderation"), casesPage, ...prevention),
      section("users", t("Members"), members),
      groups,
    ];
  return [
    section("house", t("Overview"), [urls.overview(), t("Overview")]),
    section("users", t("Members"), members, [urls.profileFields(), t("Profile fields")]),
    groups,
    section(
      "flag",
      t("Moderation"),
      casesPage,
      [urls.siteRules(), t("Rules")],
      [urls.reportCategories(), t("Report categories")],
      ...prevention,
    ),
    section(
      "file-text",
      t("Content"),
      [urls.searchMisses(), t("Searches without results")],
      [urls.newAnnouncement(), t("Announcement")],
    ),
    section("settings", t("Site settings"), [urls.siteSettings(), t("Site settings")]),
    section(
      "code",
      t("Developers"),
      [urls.programs(), t("API keys")],
      [urls.accessTokens(), t("Access tokens")],
      [urls.webhooks(), t("Webhooks")],
      [urls.tables(), t("Data tables")],
      [urls.programFiles(), t("Files")],
      [urls.extensions(), t("Extensions")],
      [urls.flows(), t("Automations")],
      [urls.channels(), t("Realtime channels")],
      [urls.mailTemplates(), t("Email templates")],
      [urls.push(), t("Devices and push")],
    ),
    section("arrow-down", t("Imports"), [urls.imports(), t("Imports")]),
    section("list", t("Logs"), [urls.logs(), t("Logs")], [urls.failures(), t("Failed jobs")]),
    section("clock", t("Audit log"), [urls.audit(), t("Audit log")]),
  ];
}

/**
 * Address of the page to which the current path belongs: the longest page address with which the path
 * begins.
 */
export function useCurrentAdminPage(sections: AdminSection[]): string | undefined {
  const { pathname } = useLocation();
  return sections
    .flatMap(({ pages }) => pages.map(({ to }) => to))
    .filter((to) => pathname === to || (to !== urls.overview() && pathname.startsWith(`${to}/`)))
    .toSorted((a, b) => b.length - a.length)[0];
}
