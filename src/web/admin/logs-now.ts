import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { logsPage } from "./logs-data.ts";

/** The same lines as they are now, for who has the page open. `not-found` for all but admins. */
export const loader = reading(({ house, viewer, url }) => answerNow(() => logsPage(house, viewer, url)));
