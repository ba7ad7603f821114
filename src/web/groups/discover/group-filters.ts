import type { GroupOrder } from "#community/groups";
import type { JoinPolicy } from "#community/rules";
import { readQueryParam } from "../../form-parsing.ts";

const JOIN_POLICIES = ["open", "request", "invite"] as const satisfies JoinPolicy[];
const ACTIVITY_SPANS = ["week", "month"] as const;
const SORTS = ["members", "newest", "name"] as const satisfies GroupOrder[];

/** Parses filters and sort order of the address. They only apply to the tab with groups to discover. */
export function parseGroupFilters(url: URL, tab: string) {
  const search = readQueryParam(url, "search");
  if (tab !== "discover") return { search };
  // Older links use the name `door`.
  const joinPolicy = readQueryParam(url, "joinPolicy") || readQueryParam(url, "door");
  return {
    search,
    topic: readQueryParam(url, "topic", 40) || undefined,
    joinPolicy: JOIN_POLICIES.find((policy) => policy === joinPolicy),
    active: ACTIVITY_SPANS.find((span) => span === readQueryParam(url, "active")),
    sort: SORTS.find((sort) => sort === readQueryParam(url, "sort")),
  };
}
/** Without `sort`, the most recently active groups come first. */
export type GroupFilters = {
  search: string;
  topic?: string;
  joinPolicy?: (typeof JOIN_POLICIES)[number];
  active?: (typeof ACTIVITY_SPANS)[number];
  sort?: (typeof SORTS)[number];
};
