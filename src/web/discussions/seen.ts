import { data } from "react-router";
import { z } from "zod";
import { cameBack, markRead } from "#community/discussions";
import { sawDiscussion } from "#community/notifications";
import { isSignedIn, type Viewer } from "#community/rules";
import { asked, parseForm } from "../forms.ts";
import type { House } from "../house.ts";
import { acting, reading } from "../visit.ts";

const Seen = z.object({ upTo: z.coerce.number().int().min(0), ms: z.coerce.number().int().min(0).default(0) });

/** Moves the read position and marks notifications about those posts as read. */
const saw = (house: House, viewer: Viewer, it: Parameters<typeof markRead>[2]) =>
  house.database.inTransaction(async (tx) => {
    await markRead(tx, viewer, it);
    await sawDiscussion(tx, viewer, it);
    await cameBack(tx, viewer, it);
  });

/** Stores the read position that the page reports while it is read. The response is empty. */
export const action = acting(async ({ house, viewer, form, params }) => {
  const seen = parseForm(Seen, form);
  await saw(house, viewer, { discussionId: params["id"]!, ...seen });
  return data(null);
});

/**
 * A page without scripts requests this as an image. The posts sent to it count as seen, for so many
 * milliseconds.
 */
const WITHOUT_SCRIPTS = 60_000;

export const loader = reading(async ({ house, viewer, url, params, request }) => {
  const site = request.headers.get("sec-fetch-site");
  if (isSignedIn(viewer) && (site === null || site === "same-origin"))
    await saw(house, viewer, { discussionId: params["id"]!, upTo: Number(asked(url, "upTo")), ms: WITHOUT_SCRIPTS });
  return new Response(null, { status: 204 });
});
