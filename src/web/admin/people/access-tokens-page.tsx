import { redirect } from "react-router";
import { z } from "zod";
import { listAllAccessTokens, revokeAccessToken } from "#community/accounts";
import { TokenRow } from "../../account/settings/tokens/token-row.tsx";
import { parseForm, readQueryParam } from "../../form-parsing.ts";
import { useTranslate } from "../../i18n/index.ts";
import { defineAction, defineLoader, requireSignedIn } from "../../request-context.ts";
import { EmptyState, NextPageLink, PageHeader, pageMeta, PersonLink, RefusalNotice } from "../../ui/index.ts";
import { urls } from "../../urls.ts";
import type { Route } from "./+types/access-tokens-page";
import { assertAdmin } from "../admin-access.ts";

export const loader = defineLoader(async ({ db, viewer, ctx, url }) => {
  assertAdmin(viewer);
  ctx.headers["cache-control"] = "no-store";
  const list = await listAllAccessTokens(db, requireSignedIn(viewer), {
    after: readQueryParam(url, "after", 60),
  });
  return { ...list, saved: readQueryParam(url, "saved", 20) };
});

const RevokeForm = z.object({ intent: z.literal("revoke-access"), id: z.uuid("Unknown value.") });

export const action = defineAction(async ({ app, viewer, form }) => {
  assertAdmin(viewer);
  await revokeAccessToken(app, requireSignedIn(viewer), parseForm(RevokeForm, form).id);
  return redirect(urls.accessTokens({ saved: "revoke-access" }));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"]>((_data, t) => ({
  title: t("Access tokens"),
  hidden: true,
}));

/** Tokens with which members' programs act for them. Admins see that they exist, and can revoke them. */
export default function AccessTokensPage({ loaderData: { tokens, next, saved } }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader
        title={t("Access tokens")}
        lead={t(
          "With these tokens, programs act on behalf of members. If you revoke a token, its owner " +
            "gets an email.",
        )}
      />
      <RefusalNotice />
      <p role="status" className="text-accent empty:hidden">
        {saved === "revoke-access" && t("The token was revoked.")}
      </p>
      {tokens.length === 0 && <EmptyState title={t("No member has an access token.")} />}
      <ul>
        {tokens.map(({ owner, ...token }) => (
          <TokenRow key={token.id} token={token} owner={<PersonLink person={owner} size={24} />} />
        ))}
      </ul>
      <NextPageLink to={next && urls.accessTokens({ after: next })} />
    </>
  );
}
