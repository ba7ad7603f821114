import { data } from "react-router";
import { createProfilePictureStore } from "#community/accounts";
import { notFound } from "#platform/refusal";
import { defineAction } from "../../request-context.ts";
import { getOwnProfile } from "../profile/get-own-profile.ts";
import { receivePicture } from "./receive-picture.ts";

/** Runs the command of a form for a background upload, and returns its result instead of a page. */
export const action = defineAction(async ({ db, app, viewer, form, params }) => {
  const { id } = await getOwnProfile(db, viewer, params["id"]);
  const pictures = createProfilePictureStore(app);
  if (params["which"] === "photo") await pictures.setPhoto(viewer, id, await receivePicture(form));
  else if (params["which"] === "header") await pictures.setHeader(viewer, id, await receivePicture(form));
  else throw notFound();
  return data({ saved: true });
});
