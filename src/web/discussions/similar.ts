import { data } from "react-router";
import { similarDiscussions } from "#community/search";
import { asked } from "../forms.ts";
import { reading, signedIn } from "../visit.ts";

/** Requests of one person in a minute, while typing titles. */
const ASKED = { points: 60, seconds: 60 };

/** Discussions with titles similar to a new one. Fetched while people type it. */
export const loader = reading(async ({ house, db, viewer, url }) => {
  await house.limits.take("similar", ASKED, signedIn(viewer).id);
  return data(await similarDiscussions(db, viewer, asked(url, "title")));
});
