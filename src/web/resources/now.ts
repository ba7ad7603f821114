import { sawResource } from "#community/notifications";
import { lastCommentOn, resourceFor } from "#community/resources";
import { isSignedIn } from "#community/rules";
import { asked } from "../forms.ts";
import { answerNow, type ReadBy } from "../live/read-now.ts";
import { reading } from "../visit.ts";
import { commentsPage, mayDo, type ResourcePageData } from "./resource-data.ts";

/** The current state of a resource's comments that an open page takes over. */
export type Now = Pick<ResourcePageData, "asOf" | "comments" | "after" | "more" | "may"> &
  ReadBy & {
    id: string;
    /** Number of comments, and the number of the last one. */
    count: number;
    lastNumber: number;
  };

/** One page of a resource's current comments, for an open page; `read` if the reader is at its end. */
export const loader = reading(({ visit, viewer, house, db, url, params }) =>
  answerNow(async (): Promise<Now> => {
    const resource = await resourceFor(db, viewer, params["resourceId"] ?? "");
    const [{ comments, after, more }, lastNumber] = await Promise.all([
      commentsPage(db, viewer, resource, url),
      lastCommentOn(db, resource),
    ]);
    const reads = asked(url, "read") === "1" && isSignedIn(viewer);
    if (reads) await house.database.inTransaction((tx) => sawResource(tx, viewer, { resourceId: resource.id }));
    const may = mayDo(viewer, resource);
    return {
      readBy: viewer.id,
      id: resource.id,
      asOf: visit.now.getTime(),
      comments,
      after,
      more,
      may,
      count: resource.comments,
      lastNumber,
    };
  }),
);
