import { useSyncExternalStore } from "react";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";

type SidebarSnapshot = SidebarData & { asOf: number };
let latestSnapshot: SidebarSnapshot | null = null;
const listeners = new Set<() => void>();
const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Publishes the sidebar's rows that an open discussion has fetched again. */
export function publishSidebar(now: SidebarSnapshot): void {
  latestSnapshot = now;
  for (const listener of listeners) listener();
}

/**
 * Returns the loaded rows in their order, with current counts, and without rows that are no longer in the
 * list.
 */
export function useFreshRows({ group, rows }: SidebarData, asOf: number | undefined): SidebarData["rows"] {
  const now = useSyncExternalStore(
    subscribe,
    () => latestSnapshot,
    () => null,
  );
  if (!now || asOf === undefined || now.asOf <= asOf) return rows;
  const fresh = new Map(now.rows.map((row) => [row.id, row]));
  // Only in the sidebar of the snapshot's group does a missing row mean that the discussion is not listed.
  const isWhole = group.slug === now.group.slug;
  return rows.flatMap((row) => fresh.get(row.id) ?? (isWhole ? [] : row));
}
