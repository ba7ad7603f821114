import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";

/** The search key for this page's browser: the viewer's own, or that of guests. */
export const loader = reading(({ visit, house }) =>
  answerNow(async () => ({ key: visit.sessionId ? house.searchKeyOf(visit.sessionId) : house.publicConfig.searchKey })),
);
