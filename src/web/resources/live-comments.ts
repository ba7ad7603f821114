import { markResourceSeen } from "#community/notifications";
import { getLastCommentNumber, getResource } from "#community/resources";
import { isSignedIn } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import { liveResponse, type PersonalData } from "../live/live-response.ts";
import { defineLoader } from "../request-context.ts";
import { getCommentsPage, resourcePermissions, type ResourcePageData } from "./resource-data.ts";

/** Current data that replaces the comments of an open resource page. */
export type LiveComments = Pick<ResourcePageData, "asOf" | "comments" | "after" | "more" | "can"> &
  PersonalData & {
    id: string;
    /** Number of comments. */
    count: number;
    /** Sequence number of the last comment. */
    lastNumber: number;
  };

/**
 * Returns one page of a resource's current comments, for an open page. `read` is set if the reader is at its
 * end.
 */
export const loader = defineLoader(({ ctx, viewer, app, db, url, params }) =>
  liveResponse(async (): Promise<LiveComments> => {
    const resource = await getResource(db, viewer, params["resourceId"] ?? "");
    const [{ comments, after, more }, lastNumber] = await Promise.all([
      getCommentsPage(db, viewer, resource, url),
      getLastCommentNumber(db, resource),
    ]);
    const reads = readQueryParam(url, "read") === "1" && isSignedIn(viewer);
    if (reads)
      await app.database.inTransaction((tx) => markResourceSeen(tx, viewer, { resourceId: resource.id }));
    const can = resourcePermissions(viewer, resource);
    return {
      readBy: viewer.id,
      id: resource.id,
      asOf: ctx.now.getTime(),
      comments,
      after,
      more,
      can: can,
      count: resource.comments,
      lastNumber,
    };
  }),
);
