import { z } from "zod";
import {
  type AccountsContext,
  claimFirstAdmin,
  type ClientInfo,
  NewAccount,
  type SignInResult,
} from "#community/accounts";
import { createGroup, createInviteLink, InviteLink, NewGroup } from "#community/groups";
import { LIMITS, type SignedIn } from "#community/rules";
import type { SiteSettings } from "#community/settings";
import type { Tx } from "#platform/database";
import { keysOf } from "#platform/objects";
import { GROUP_TEMPLATES, type GroupTemplate } from "./group-templates.ts";

const groupName = z
  .string()
  .trim()
  .max(LIMITS.groupName.max, "At most {count, number} characters.")
  .default("");

export const CommunitySetup = NewAccount.extend({
  community: z
    .string()
    .trim()
    .min(1, "Give the community a name.")
    .max(60, "At most {count, number} characters."),
  sentence: z.string().trim().max(200, "At most {count, number} characters.").default(""),
  accent: z.string().trim().max(7).optional(),
  /** Empty: no group yet. */
  group: z.enum(keysOf(GROUP_TEMPLATES)).or(z.literal("")).default(""),
  groupName,
}).refine((it) => it.group === "" || it.groupName.length >= LIMITS.groupName.min, {
  path: ["groupName"],
  message: "Give the group a name.",
});
export type CommunitySetup = z.output<typeof CommunitySetup>;

/** First group of a community, with a link that invites people to it. */
export type FirstGroup = { slug: string; token: string };

type SetupResult = { admin: SignedIn; signIn: SignInResult; group: FirstGroup | null };

/**
 * Sets an empty community up, all or nothing: its name and colour, the first admin's account, and a first
 * group with an invite link.
 * @throws `gone` for a used link, `invalid` or `conflict` by field
 */
export async function setUpCommunity(
  app: Pick<AccountsContext, "database" | "settings" | "now" | "origin">,
  token: string,
  setup: CommunitySetup,
  from: ClientInfo,
): Promise<SetupResult> {
  const site = await app.settings.get();
  const { admin, signIn, result } = await claimFirstAdmin(app, token, setup, from, async (tx, me) => {
    const { community: name, sentence, accent } = setup;
    await app.settings.set(tx, me, { name, sentence, ...(accent && { accent }) });
    return setup.group === "" ? null : createFirstGroup(tx, me, setup.group, setup.groupName, site);
  });
  return { admin, signIn, group: result };
}

async function createFirstGroup(
  tx: Tx,
  me: SignedIn,
  template: GroupTemplate,
  name: string,
  site: SiteSettings,
): Promise<FirstGroup> {
  const { id, slug } = await createGroup(
    tx,
    me,
    NewGroup.parse({ ...GROUP_TEMPLATES[template], name, purpose: "", about: "", topic: "" }),
    site,
  );
  const link = InviteLink.parse({ groupId: id, entry: "join", mostUses: FIRST_LINK_USES });
  return { slug, token: (await createInviteLink(tx, me, link)).token };
}

/** Maximum uses of the first invitation link, which is shared with everyone who is there at the start. */
const FIRST_LINK_USES = 100;
