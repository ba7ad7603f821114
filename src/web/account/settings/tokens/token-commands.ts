import { redirect } from "react-router";
import { z } from "zod";
import { createAccessToken, NewAccessToken, revokeAccessToken } from "#community/accounts";
import { type SignedIn, TOKEN_AREAS } from "#community/rules";
import { createTable } from "#platform/objects";
import { parseForm } from "../../../form-parsing.ts";
import type { RequestContext } from "../../../request-context.ts";
import { urls } from "../../../urls.ts";
import { withPrefixedFields } from "../prefixed-fields.ts";

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };

/** One field per area: no access, reading, or writing. */
const AccessLevel = z.enum(["", "read", "write"], "Unknown scope.").default("");
const AreaFields = createTable(TOKEN_AREAS, () => AccessLevel);

const TokenForm = z
  .object({
    ...AreaFields,
    name: z.string(),
    lifetime: z.string(),
    groupIds: z.array(z.string()).default([]),
    proof: z.string().default(""),
  })
  .transform(({ name, lifetime, groupIds, proof, ...levels }) => {
    const chosen = TOKEN_AREAS.filter((area) => levels[area] !== "");
    return { name, lifetime, groupIds, proof, scopes: chosen.map((area) => `${area}:${levels[area]}`) };
  })
  .pipe(NewAccessToken.extend({ groupIds: NewAccessToken.shape.groupIds.unwrap(), proof: z.string() }));

/**
 * Forms of the page about access tokens. Field names have no “token”, since the values of such fields are
 * never put back into a rejected form.
 */
export const tokenCommands = {
  // The token is shown in this response only, never in a URL or cookie.
  "grant-access": async ({ ctx, me, form }: CommandInput) =>
    withPrefixedFields("grant-access", form, async (fields) => {
      const { proof, ...input } = parseForm(TokenForm, fields);
      const { token } = await createAccessToken(ctx.app, me, input, { proof, sessionId: ctx.sessionId });
      return { createdToken: { name: input.name, token } };
    }),
  "revoke-access": async ({ ctx, me, form }: CommandInput) => {
    await revokeAccessToken(ctx.app, me, parseForm(z.object({ id: z.uuid("Unknown value.") }), form).id);
    return redirect(urls.settings(me.id, "tokens", "tokens", { saved: "revoke-access" }));
  },
};
