import { folded } from "../ui/folded.ts";
import { useRoot } from "../ui/use-root.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";
import { type Deed, useDeeds } from "./deeds.ts";

/** An item of the palette: a page, an action, or a search hit. */
export type Line = Deed & { key: string; kind: string };

/**
 * Pages and actions by name: all of them while nothing is typed, then those with a word that begins with the
 * typed text.
 */
export function usePlaces(typed: string) {
  const t = useWords();
  const { me, reports } = useRoot();
  const deeds = useDeeds();
  const open: [string, string][] = [
    [t("Home"), urls.home()],
    [t("Discussions"), urls.discussions()],
    [t("Groups"), urls.groups()],
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
        ...(reports ? [[t("Reports"), urls.moderation()] satisfies [string, string]] : []),
      ]
    : [];
  const wanted = folded(typed.trim());
  const lines: Line[] = [
    ...[...open, ...own].map(([label, to]) => ({ key: to, kind: "places", label, to })),
    ...deeds.map((it) => ({ ...it, key: it.label, kind: "deeds" })),
  ];
  return lines.filter(({ label }) => wanted === "" || ` ${folded(label)}`.includes(` ${wanted}`));
}
