import { normalizeText } from "../ui/text/normalize-text.ts";
import { useRootData } from "../ui/hooks/use-root-data.ts";
import { urls } from "../urls.ts";
import { useTranslate } from "../i18n/index.ts";
import { useAdminSections } from "../layouts/admin-pages.ts";
import { type QuickAction, useQuickActions } from "./quick-actions.ts";

/** An item of the palette: a page, an action, or a search hit. */
export type PaletteItem = QuickAction & { key: string; kind: string };

/** Returns pages and actions: all of them, or those with a word that begins with the typed text. */
export function usePaletteItems(typed: string) {
  const t = useTranslate();
  const { me, admin, reports } = useRootData();
  const quickActions = useQuickActions();
  const sections = useAdminSections();
  const open: [string, string][] = [
    [t("Home"), urls.home()],
    [t("Discussions"), urls.discussions()],
    [t("Groups"), urls.groups()],
    [t("Events", undefined, "calendar"), urls.events()],
    [t("Resources"), urls.resources()],
  ];
  const own: [string, string][] = me
    ? [
        [t("Messages"), urls.messages()],
        [t("Notifications"), urls.notifications()],
        [t("Friends"), urls.friends()],
        [t("People"), urls.people()],
        [t("Bookmarks"), urls.bookmarks()],
        [t("Drafts"), urls.drafts()],
        [t("Settings"), urls.settings(me.id)],
        ...(reports ? [[t("Moderation"), urls.moderation()] satisfies [string, string]] : []),
        ...(admin ? [[t("Administration"), urls.overview()] satisfies [string, string]] : []),
      ]
    : [];
  const text = normalizeText(typed.trim());
  // Admin pages are found by name only, because there are many of them.
  const adminPages: PaletteItem[] = sections.flatMap((section) =>
    text !== "" && reports
      ? section.pages.map(({ to, label }) => ({
          key: `admin ${to}`,
          kind: "places",
          label: `${section.label}: ${label}`,
          to,
        }))
      : [],
  );
  const lines: PaletteItem[] = [
    ...[...open, ...own].map(([label, to]) => ({ key: to, kind: "places", label, to })),
    ...quickActions.map((it) => ({ ...it, key: it.label, kind: "deeds" })),
    ...adminPages,
  ];
  return lines.filter(({ label }) => text === "" || ` ${normalizeText(label)}`.includes(` ${text}`));
}
