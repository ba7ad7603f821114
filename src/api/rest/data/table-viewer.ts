import type { Caller } from "#baas/data";
import { GUEST, type Viewer } from "#community/rules";

/** The viewer of a table caller, as set by the API; a guest if missing. */
export const getTableViewer = ({ viewer }: Pick<Caller, "viewer">): Viewer =>
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- data tables pass on our viewer untyped
  (viewer as Viewer | undefined) ?? GUEST;
