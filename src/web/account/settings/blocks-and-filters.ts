import { redirect } from "react-router";
import { z } from "zod";
import {
  blockPerson,
  listBlocked,
  getDeletedWordFilter,
  listWordFilters,
  listMuted,
  mutePerson,
  unblockPerson,
  unmutePerson,
} from "#community/friends";
import { listPersonSummaries } from "#community/accounts";
import type { SignedIn } from "#community/rules";
import type { Db } from "#platform/database";
import { readQueryParam, parseForm } from "../../form-parsing.ts";
import { urls } from "../../urls.ts";
import type { RequestContext } from "../../request-context.ts";
import { contentFilterCommands } from "./content-filter-commands.ts";

/** Blocked and muted people, filters, and the person who was just unblocked. */
export async function listBlocksAndFilters(db: Db, me: SignedIn, url: URL) {
  const [blocked, muted, filters, [back], dropped] = await Promise.all([
    listBlocked(db, me),
    listMuted(db, me),
    listWordFilters(db, me),
    listPersonSummaries(db, me, [readQueryParam(url, "whom")]),
    getDeletedWordFilter(db, me, readQueryParam(url, "dropped")),
  ]);
  return { blocked, muted, filters, back: back ?? null, until: readQueryParam(url, "until", 20), dropped };
}

type CommandInput = { ctx: RequestContext; me: SignedIn; form: FormData };
const PersonInput = z.object({ id: z.uuid("Unknown value.") });
const UndoInput = PersonInput.extend({
  until: z
    .string()
    .optional()
    .transform((ms) => (ms ? new Date(Number(ms)) : null))
    .pipe(z.date("This is not a valid time.").nullable()),
});

const redirectToBlocked = (me: SignedIn, saved: string, at: { whom?: string; until?: number } = {}) =>
  redirect(urls.settings(me.id, "privacy", "blocked", { saved, ...at }));

/** Commands of these lists. Each removal from a list can be undone. */
export const blockCommands: Record<string, (input: CommandInput) => Promise<unknown>> = {
  unblock: async ({ ctx, me, form }) => {
    const { id: personId } = parseForm(PersonInput, form);
    await ctx.app.database.inTransaction((tx) => unblockPerson(tx, me, { personId }));
    return redirectToBlocked(me, "unblock", { whom: personId });
  },
  block: async ({ ctx, me, form }) => {
    const { id: personId } = parseForm(PersonInput, form);
    await ctx.app.database.inTransaction((tx) => blockPerson(tx, me, { personId }));
    return redirectToBlocked(me, "block");
  },
  unmute: async ({ ctx, me, form }) => {
    const { id: personId, until } = parseForm(UndoInput, form);
    await ctx.app.database.inTransaction((tx) => unmutePerson(tx, me, { personId }));
    return redirectToBlocked(me, "unmute", { whom: personId, until: until?.getTime() });
  },
  mute: async ({ ctx, me, form }) => {
    const { id: personId, until } = parseForm(UndoInput, form);
    await ctx.app.database.inTransaction((tx) => mutePerson(tx, me, { personId, until }));
    return redirectToBlocked(me, "mute");
  },
  ...contentFilterCommands,
};
