import { answerNow } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { logsPage } from "./logs-data.ts";

/**
 * The log records now, for an open page.
 * @throws `not-found` for non-admins
 */
export const loader = reading(({ house, viewer, url }) => answerNow(() => logsPage(house, viewer, url)));
