import type { Caller } from "#backend/tables";
import { GUEST, type Viewer } from "#community/rules";

/** Who calls a table, as the community knows them. The API put it there; without it nobody is meant. */
export const viewerIn = ({ viewer }: Pick<Caller, "viewer">): Viewer => (viewer as Viewer | undefined) ?? GUEST;
