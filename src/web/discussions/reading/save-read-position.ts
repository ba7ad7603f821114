import { data } from "react-router";
import { z } from "zod";
import { clearDueBookmarks, markRead } from "#community/discussions";
import { markDiscussionSeen } from "#community/notifications";
import { isSignedIn, type Viewer } from "#community/rules";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import type { WebContext } from "../../web-context.ts";
import { defineAction, defineLoader } from "../../request-context.ts";

const SeenInput = z.object({
  upTo: z.coerce.number().int().min(0),
  ms: z.coerce.number().int().min(0).default(0),
});

/** Moves the read position and marks notifications about those posts as read. */
const markSeen = (
  app: Pick<WebContext, "database">,
  viewer: Viewer,
  readReport: Parameters<typeof markRead>[2],
) =>
  app.database.inTransaction(async (tx) => {
    await markRead(tx, viewer, readReport);
    await markDiscussionSeen(tx, viewer, readReport);
    await clearDueBookmarks(tx, viewer, readReport);
  });

/** Stores the read position that the page reports during reading. The response is empty. */
export const action = defineAction(async ({ app, viewer, form, params }) => {
  const seen = parseForm(SeenInput, form);
  await markSeen(app, viewer, { discussionId: params["id"]!, ...seen });
  return data(null);
});

/**
 * A page without scripts requests this address as an image. The posts of the page are then recorded as read
 * for this many milliseconds.
 */
const ASSUMED_TIME = 60_000;

export const loader = defineLoader(async ({ app, viewer, url, params, request }) => {
  const site = request.headers.get("sec-fetch-site");
  if (isSignedIn(viewer) && (site === null || site === "same-origin"))
    await markSeen(app, viewer, {
      discussionId: params["id"]!,
      upTo: Number(readQueryParam(url, "upTo")),
      ms: ASSUMED_TIME,
    });
  return new Response(null, { status: 204 });
});
