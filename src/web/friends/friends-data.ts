import { listFriendLinks, listFriends } from "#community/friends";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam } from "../form-parsing.ts";

const TABS = ["friends", "received", "sent", "suggestions"] as const;
export type FriendsTab = (typeof TABS)[number];
const SORTS = ["name", "active"] as const;
const MIN_FRIENDS = 3;

/** Data of one tab; people without friends get a few suggestions. */
export async function getFriendsPage(db: Db, viewer: SignedIn, url: URL, now: Date) {
  const tab = TABS.find((name) => name === readQueryParam(url, "tab")) ?? "friends";
  const sort = SORTS.find((name) => name === readQueryParam(url, "sort")) ?? "name";
  const search = readQueryParam(url, "search");
  const [{ rows, next }, links] = await Promise.all([
    listFriends(db, viewer, { tab, search, sort, after: readQueryParam(url, "after", 1000) }),
    tab === "friends" ? listFriendLinks(db, viewer, now) : [],
  ]);
  const alone = tab === "friends" && search === "" && rows.length === 0;
  const suggestions = alone
    ? (await listFriends(db, viewer, { tab: "suggestions" })).rows.slice(0, MIN_FRIENDS)
    : [];
  return { tab, sort, search, rows, next, suggestions, links };
}
export type FriendsPage = Awaited<ReturnType<typeof getFriendsPage>>;
