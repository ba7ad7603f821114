import { useSyncExternalStore } from "react";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";

type Beside = SidebarData & { asOf: number };
let latest: Beside | null = null;
const listeners = new Set<() => void>();
const listen = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

/** An open discussion has read the list beside it again. */
export function besideIs(now: Beside): void {
  latest = now;
  for (const told of listeners) told();
}

/** The rows in the order in which they came, with the figures that were read since, and without those that are not of the list any more. */
export function useFreshRows({ group, rows }: SidebarData, asOf: number | undefined): SidebarData["rows"] {
  const now = useSyncExternalStore(
    listen,
    () => latest,
    () => null,
  );
  if (!now || asOf === undefined || now.asOf <= asOf) return rows;
  const fresh = new Map(now.rows.map((row) => [row.id, row]));
  // What was read beside a discussion is its group's list: of any other it says nothing about what is gone.
  const isWhole = group !== null && group.slug === now.group?.slug;
  return rows.flatMap((row) => fresh.get(row.id) ?? (isWhole ? [] : row));
}
