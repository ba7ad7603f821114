import { folded } from "../ui/folded.ts";
import { useRoot } from "../ui/use-root.ts";
import { urls } from "../urls.ts";
import { useWords } from "../words/index.ts";

/** Where one can go by name: all places while nothing is typed, then those with a word that begins so. */
export function usePlaces(typed: string) {
  const t = useWords();
  const { me } = useRoot();
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
        [t("New group"), urls.newGroup()],
        [t("Add a resource"), urls.newResource()],
      ]
    : [];
  const wanted = folded(typed.trim());
  const named = [...open, ...own].filter(([name]) => wanted === "" || ` ${folded(name)}`.includes(` ${wanted}`));
  return named.map(([label, to]) => ({ key: to, kind: "places", label, to }));
}
