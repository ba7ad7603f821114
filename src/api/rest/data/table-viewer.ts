import type { Caller } from "#baas/data";
import { GUEST, type Viewer } from "#community/rules";

/** The viewer behind a table caller, set by the API; a guest by default. */
export const tableViewer = ({ viewer }: Pick<Caller, "viewer">): Viewer =>
  (viewer as Viewer | undefined) ?? GUEST;
