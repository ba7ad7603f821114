import { getSanctionAppeal } from "#community/moderation";
import { getOwnSanction, readAccountStatusToken } from "#community/accounts";
import { appealRules, GUEST, type Viewer } from "#community/rules";
import { readQueryParam } from "../form-parsing.ts";
import type { RequestContext } from "../request-context.ts";

/** Returns the person named by the emailed link, or the signed-in viewer. */
export async function findStatusOwner({ app, viewer }: RequestContext, url: URL): Promise<Viewer> {
  const token = readQueryParam(url, "token", 400);
  return token === "" ? viewer : ((await readAccountStatusToken(app, token)) ?? GUEST);
}

/** Returns the person's sanction and their appeal, or null without a sanction. */
export async function getAccountStatus(ctx: RequestContext, url: URL) {
  const { app, now } = ctx;
  const viewer = await findStatusOwner(ctx, url);
  const sanction = await getOwnSanction(app.db, viewer, now);
  if (!sanction) return null;
  const appeal = await getSanctionAppeal(app.db, viewer);
  const { since } = sanction;
  return {
    sanction,
    appeal,
    open: appealRules.askOfSanction(viewer, { since, asked: appeal !== null }, now),
    until: appealRules.until({ since }),
  };
}
