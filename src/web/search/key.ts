import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";

/** By which key this page searches in the browser: its viewer's own, or the one of guests. */
export const loader = reading(({ visit, house }) =>
  answerNow(async () => ({ key: visit.sessionId ? house.searchKeyOf(visit.sessionId) : house.publicConfig.searchKey })),
);
