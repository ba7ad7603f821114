import { friendLinksOf, friendsOf } from "#community/friends";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { asked } from "../forms.ts";

const TABS = ["friends", "received", "sent", "suggestions"] as const;
export type FriendsTab = (typeof TABS)[number];
const SORTS = ["name", "active"] as const;
const FEW = 3;

/** Data of one tab; people without friends get a few suggestions. */
export async function friendsPage(db: Db, viewer: SignedIn, url: URL, now: Date) {
  const tab = TABS.find((name) => name === asked(url, "tab")) ?? "friends";
  const sort = SORTS.find((name) => name === asked(url, "sort")) ?? "name";
  const search = asked(url, "search");
  const [{ rows, next }, links] = await Promise.all([
    friendsOf(db, viewer, { tab, search, sort, after: asked(url, "after", 1000) }),
    tab === "friends" ? friendLinksOf(db, viewer, now) : [],
  ]);
  const alone = tab === "friends" && search === "" && rows.length === 0;
  const suggestions = alone ? (await friendsOf(db, viewer, { tab: "suggestions" })).rows.slice(0, FEW) : [];
  return { tab, sort, search, rows, next, suggestions, links };
}
export type FriendsPage = Awaited<ReturnType<typeof friendsPage>>;
