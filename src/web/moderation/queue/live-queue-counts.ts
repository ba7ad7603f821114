import { getGroup } from "#community/groups";
import { getGroupQueueCounts, getQueueCounts } from "#community/moderation";
import { readQueryParam } from "../../form-parsing.ts";
import { liveResponse } from "../../live/live-response.ts";
import { defineLoader } from "../../request-context.ts";

/** Returns the current counts of the queue's tabs, or of those of the group `group`, for an open page. */
export const loader = defineLoader(({ db, viewer, url }) =>
  liveResponse(async () => {
    const groupId = readQueryParam(url, "group");
    return groupId
      ? getGroupQueueCounts(db, viewer, await getGroup(db, viewer, groupId))
      : getQueueCounts(db, viewer);
  }),
);
