import { renderSVG } from "uqr";
import { z } from "zod";
import { makeFriendLink, revokeFriendLink } from "#community/friends";
import type { Viewer } from "#community/rules";
import { parseForm } from "../forms.ts";
import type { House } from "../house.ts";
import { urls } from "../urls.ts";

const Which = z.object({ linkId: z.uuid("That is not something we know.") });

/**
 * Creates a friend link and its QR code; shown in this response only, since only the hash of the token is
 * stored.
 */
export async function makeLink(house: House, viewer: Viewer) {
  const { token } = await house.database.inTransaction((tx) => makeFriendLink(tx, viewer));
  const made = house.origin() + urls.invite(token);
  return { made, qr: renderSVG(made, { ecc: "M", border: 2 }) };
}

export const revokeLink = (house: House, viewer: Viewer, form: FormData) =>
  house.database.inTransaction((tx) => revokeFriendLink(tx, viewer, parseForm(Which, form)));
