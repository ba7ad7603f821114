import type { Caller } from "#baas/data";
import { GUEST, type Viewer } from "#community/rules";

/** The viewer of a table caller, as set by the API; a guest if missing. */
export const getTableViewer = ({ viewer }: Pick<Caller, "viewer">): Viewer =>
  (viewer as Viewer | undefined) ?? GUEST;
