import { liveResponse } from "../live/read-now.ts";
import { defineLoader } from "../visit.ts";
import { getLogsPage } from "./logs-data.ts";

/**
 * The log records now, for an open page.
 * @throws `not-found` for non-admins
 */
export const loader = defineLoader(({ app, viewer, url }) => liveResponse(() => getLogsPage(app, viewer, url)));
