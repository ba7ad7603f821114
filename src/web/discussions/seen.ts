import { data } from "react-router";
import { z } from "zod";
import { cameBack, markRead } from "#community/discussions";
import { sawDiscussion } from "#community/notifications";
import { isSignedIn, type Viewer } from "#community/rules";
import { asked, parseForm } from "../forms.ts";
import type { House } from "../house.ts";
import { acting, reading } from "../visit.ts";

const Seen = z.object({ upTo: z.coerce.number().int().min(0), ms: z.coerce.number().int().min(0).default(0) });

/** What somebody has before their eyes is read, and what tells of it is over. */
const saw = (house: House, viewer: Viewer, it: Parameters<typeof markRead>[2]) =>
  house.database.inTransaction(async (tx) => {
    await markRead(tx, viewer, it);
    await sawDiscussion(tx, viewer, it);
    await cameBack(tx, viewer, it);
  });

/** How far somebody has read, told by the page while they read. It answers nothing. */
export const action = acting(async ({ house, viewer, form, params }) => {
  const seen = parseForm(Seen, form);
  await saw(house, viewer, { discussionId: params["id"]!, ...seen });
  return data(null);
});

/** A page without scripts asks for this as for a picture: whoever was given it has it before them. */
const WITHOUT_SCRIPTS = 60_000;

export const loader = reading(async ({ house, viewer, url, params, request }) => {
  const site = request.headers.get("sec-fetch-site");
  if (isSignedIn(viewer) && (site === null || site === "same-origin"))
    await saw(house, viewer, { discussionId: params["id"]!, upTo: Number(asked(url, "upTo")), ms: WITHOUT_SCRIPTS });
  return new Response(null, { status: 204 });
});
