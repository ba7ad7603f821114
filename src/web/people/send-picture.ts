import { data } from "react-router";
import { openPictures } from "#community/people";
import { notFound } from "#platform/refusal";
import { acting } from "../visit.ts";
import { ownProfile } from "./own-page.ts";
import { pictureSent } from "./picture-sent.ts";

/** Same commands as the pages' forms, for background uploads, which need a result instead of a page. */
export const action = acting(async ({ db, house, viewer, form, params }) => {
  const { id } = await ownProfile(db, viewer, params["id"]);
  const pictures = openPictures(house);
  if (params["which"] === "photo") await pictures.setPhoto(viewer, id, await pictureSent(form));
  else if (params["which"] === "header") await pictures.setHeader(viewer, id, await pictureSent(form));
  else throw notFound();
  return data({ saved: true });
});
