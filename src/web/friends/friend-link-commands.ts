import { renderSVG } from "uqr";
import { z } from "zod";
import { createFriendLink, revokeFriendLink } from "#community/friends";
import type { Viewer } from "#community/rules";
import { parseForm } from "../form-parsing.ts";
import type { WebContext } from "../web-context.ts";
import { urls } from "../urls.ts";

const LinkInput = z.object({ linkId: z.uuid("Unknown value.") });

/**
 * Creates a friend link and its QR code. Only this response contains them, since only the hash of the token
 * is stored.
 */
export async function createLink(app: Pick<WebContext, "database" | "origin">, viewer: Viewer) {
  const { token } = await app.database.inTransaction((tx) => createFriendLink(tx, viewer));
  const made = app.origin() + urls.invite(token);
  return { made, qr: renderSVG(made, { ecc: "M", border: 2 }) };
}

export const revokeLink = (app: Pick<WebContext, "database">, viewer: Viewer, form: FormData) =>
  app.database.inTransaction((tx) => revokeFriendLink(tx, viewer, parseForm(LinkInput, form)));
