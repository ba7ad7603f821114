import type { GroupCard } from "#community/groups";
import { groupRules, type Viewer } from "#community/rules";
import type { CardRow } from "./group-card.tsx";

/** Adds to each card what the viewer may do. */
export const cardRows = (viewer: Viewer, rows: GroupCard[], now: Date): CardRow[] =>
  rows.map((row) => ({ ...row, may: { join: groupRules.join(viewer, row), ask: groupRules.ask(viewer, row, now) } }));
