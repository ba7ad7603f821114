import { liveResponse } from "../../live/live-response.ts";
import { defineLoader } from "../../request-context.ts";
import { getLogsPage } from "./logs-data.ts";

/**
 * Current log records, requested by an open page.
 * @throws `not-found` for non-admins
 */
export const loader = defineLoader(({ app, viewer, url }) =>
  liveResponse(() => getLogsPage(app, viewer, url)),
);
