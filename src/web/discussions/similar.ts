import { data } from "react-router";
import { similarDiscussions } from "#community/search";
import { asked } from "../forms.ts";
import { reading, signedIn } from "../visit.ts";

/** Titles that are typed by one person in a minute, letter by letter. */
const ASKED = { points: 60, seconds: 60 };

/** Discussions whose titles say what a new title says. Asked while people type it. */
export const loader = reading(async ({ house, db, viewer, url }) => {
  await house.limits.take("similar", ASKED, signedIn(viewer).id);
  return data(await similarDiscussions(db, viewer, asked(url, "title")));
});
