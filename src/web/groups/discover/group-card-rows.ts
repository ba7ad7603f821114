import type { GroupCard } from "#community/groups";
import { groupRules, type Viewer } from "#community/rules";
import type { GroupCardData } from "./group-card.tsx";

/** Adds the viewer's permissions to each card. */
export const toCardRows = (viewer: Viewer, rows: GroupCard[], now: Date): GroupCardData[] =>
  rows.map((row) => ({
    ...row,
    can: { join: groupRules.join(viewer, row), ask: groupRules.ask(viewer, row, now) },
  }));
