import { DAY, addMilliseconds } from "#platform/clock";
import { isId } from "#platform/ids";
import { CASE_KINDS, CASE_SORTS, type CaseQuery } from "#community/moderation";
import { readQueryParam } from "../../form-parsing.ts";

/** Filters and order of the queue, as they stand in its address. */
export type QueueParams = {
  tab: "open" | "resolved";
  sort: NonNullable<CaseQuery["sort"]>;
  kind?: CaseQuery["kind"];
  assigned?: CaseQuery["assigned"];
  age?: string;
  category?: string;
  group?: string;
};

const oneOf = <T extends string>(values: readonly T[], value: string): T | undefined =>
  values.find((it) => it === value);

/** Reads the order of open cases; by risk where the address names none. */
export const readCaseSort = (url: URL): QueueParams["sort"] =>
  oneOf(CASE_SORTS, readQueryParam(url, "sort")) ?? "risk";

/** Reads the queue's parameters; unknown values count as not given. */
export function readQueueParams(url: URL): QueueParams {
  const kind = oneOf([...CASE_KINDS, "appeal"] as const, readQueryParam(url, "kind"));
  const assigned = oneOf(["me", "nobody"] as const, readQueryParam(url, "assigned"));
  const age = oneOf(["1", "3", "7"], readQueryParam(url, "age"));
  const category = readQueryParam(url, "category", 40);
  const group = readQueryParam(url, "group");
  return {
    tab: oneOf(["resolved"] as const, readQueryParam(url, "tab")) ?? "open",
    sort: readCaseSort(url),
    ...(kind && { kind }),
    ...(assigned && { assigned }),
    ...(age && { age }),
    ...(category && { category }),
    ...(isId(group) && { group }),
  };
}

export const toCaseQuery = (
  { tab, sort, kind, assigned, age, category, group }: QueueParams,
  now: Date,
): CaseQuery => ({
  tab,
  sort,
  kind,
  assigned,
  category,
  openedBefore: age ? addMilliseconds(now, -Number(age) * DAY) : undefined,
  inGroup: group,
});
