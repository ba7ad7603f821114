import { useSyncExternalStore } from "react";
import type { SidebarData } from "../layouts/discussions-sidebar.tsx";

type Beside = { asOf: number; rows: SidebarData["rows"] };
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

/** The rows in the order in which they came, with the figures that were read since. */
export function useFreshRows(rows: SidebarData["rows"], asOf: number | undefined): SidebarData["rows"] {
  const now = useSyncExternalStore(
    listen,
    () => latest,
    () => null,
  );
  if (!now || asOf === undefined || now.asOf <= asOf) return rows;
  const fresh = new Map(now.rows.map((row) => [row.id, row]));
  return rows.map((row) => fresh.get(row.id) ?? row);
}
