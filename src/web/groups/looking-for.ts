import type { GroupOrder } from "#community/groups";
import type { JoinPolicy } from "#community/rules";
import { asked } from "../forms.ts";

const DOORS = ["open", "request", "invite"] as const satisfies JoinPolicy[];
const SPANS = ["week", "month"] as const;
const SORTS = ["members", "newest", "name"] as const satisfies GroupOrder[];

/** Filters and sort order in the address. They only apply to the tab with groups to discover. */
export function lookingFor(url: URL, tab: string) {
  const search = asked(url, "search");
  if (tab !== "discover") return { search };
  return {
    search,
    topic: asked(url, "topic", 40) || undefined,
    door: DOORS.find((door) => door === asked(url, "door")),
    active: SPANS.find((span) => span === asked(url, "active")),
    sort: SORTS.find((sort) => sort === asked(url, "sort")),
  };
}
/** Without `sort`, the most recently active come first. */
export type Looking = {
  search: string;
  topic?: string;
  door?: (typeof DOORS)[number];
  active?: (typeof SPANS)[number];
  sort?: (typeof SORTS)[number];
};
