import { useSyncExternalStore } from "react";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";

type SidebarSnapshot = SidebarData & { asOf: number };
let latestSnapshot: SidebarSnapshot | null = null;
const listeners = new Set<() => void>();
const subscribe = (told: () => void) => {
  listeners.add(told);
  return () => void listeners.delete(told);
};

/** Publishes the sidebar's rows that an open discussion has fetched again. */
export function publishSidebar(now: SidebarSnapshot): void {
  latestSnapshot = now;
  for (const told of listeners) told();
}

/** The loaded rows in their order, with counts fetched since, and without rows that have left the list. */
export function useFreshRows({ group, rows }: SidebarData, asOf: number | undefined): SidebarData["rows"] {
  const now = useSyncExternalStore(
    subscribe,
    () => latestSnapshot,
    () => null,
  );
  if (!now || asOf === undefined || now.asOf <= asOf) return rows;
  const fresh = new Map(now.rows.map((row) => [row.id, row]));
  // The snapshot beside a discussion is its group's list, so only for that list a missing row means that it
  // is gone.
  const isWhole = group !== null && group.slug === now.group?.slug;
  return rows.flatMap((row) => fresh.get(row.id) ?? (isWhole ? [] : row));
}
