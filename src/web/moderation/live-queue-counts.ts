import { getQueueCounts } from "#community/moderation";
import { liveResponse } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";

/** Returns the current counts of the queue's tabs, for an open page. */
export const loader = defineLoader(({ db, viewer }) => liveResponse(() => getQueueCounts(db, viewer)));
