import { domainToUnicode } from "node:url";
import { z } from "zod";
import { type Db, limit, many, maybeOne, one, run, sql, type Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { invalid, notFound } from "#platform/refusal";
import { writeAudit } from "#community/audit";
import {
  andIfGiven,
  encodeCursor,
  optionalText,
  type Page,
  type PersonCard,
  personCard,
  readCursor,
  requiredText,
  toPage,
  toStorableText,
} from "#community/common";
import { accountRules, LIMITS, type Viewer, PREVENTION_LIMITS } from "#community/rules";
import { toDomain } from "../blocked-addresses/address-value.ts";
import { lockCheckedTexts, renewCheckVersion } from "../watched-words/check-version.ts";

/** What happens to a text that links to the domain. */
const LINK_DOMAIN_ACTIONS = ["approve", "block"] as const;
export type LinkDomainAction = (typeof LINK_DOMAIN_ACTIONS)[number];
export type LinkDomainRule = {
  /** In ASCII (Punycode) and lower case. */
  domain: string;
  action: LinkDomainAction;
  /** Reason that authors read; may be empty. */
  explanation: string;
};
/** `name` is the domain in its own script. */
export type LinkDomain = LinkDomainRule & {
  name: string;
  changedAt: Date;
  changedBy: PersonCard | null;
};

export const LinkDomainForm = z.object({
  domain: requiredText("The domain", "Enter a domain.", 320),
  action: z.enum(LINK_DOMAIN_ACTIONS, "Choose what happens."),
  explanation: optionalText("The explanation", PREVENTION_LIMITS.linkDomains.explanation),
});

function assertStaff(viewer: Viewer): void {
  if (!accountRules.moderate(viewer)) throw notFound();
}

/**
 * Link domains in alphabetical order, 50 a page.
 * @throws `not-found` for all but staff
 */
export async function listLinkDomains(
  db: Db,
  viewer: Viewer,
  { search = "", after = "" }: { search?: string; after?: string },
): Promise<Page<LinkDomain>> {
  assertStaff(viewer);
  const cursor = readCursor(after, ["text"]);
  const typed = toStorableText(search).trim().toLowerCase();
  const part = parseLinkDomain(typed) ?? typed;
  const rows = await many(
    db,
    sql<Omit<LinkDomain, "name">>`
      select d.domain, d.action, d.explanation, d.changed_at as "changedAt",
        case when p.id is not null then ${personCard("p")} end as "changedBy"
      from link_domains d left join people p on p.id = d.changed_by
      where (${part} = '' or position(${part} in d.domain) > 0)
        ${andIfGiven(cursor, ([domain]) => sql`d.domain > ${domain}`)}
      order by d.domain ${limit(LIMITS.page.people + 1)}`,
  );
  const named = rows.map((row) => ({ ...row, name: domainToUnicode(row.domain) }));
  return toPage(named, LIMITS.page.people, (last) => encodeCursor(last.domain));
}

/** The domain in what an admin types: a domain or an address; null for anything else. */
export function parseLinkDomain(typed: string): string | null {
  const host = typed
    .trim()
    .replace(/^[a-z]+:\/\//i, "")
    .replace(/[/?#:].*$/s, "")
    .replace(/^\*?\./, "");
  return toDomain(host.toLowerCase());
}

/**
 * Adds a domain, with the domains below it. One that is listed already gets the new action and explanation.
 * @throws `not-found` for all but staff, `invalid` on `domain` for text that is no domain, and above the
 * maximum number
 */
export async function saveLinkDomain(
  tx: Tx,
  viewer: Viewer,
  { domain: typed, action, explanation }: z.output<typeof LinkDomainForm>,
): Promise<{ domain: string }> {
  assertStaff(viewer);
  const domain = parseLinkDomain(typed);
  if (domain === null) throw invalid("domain", "Enter a domain such as example.com.");
  await lockCheckedTexts(tx);
  const { count, known } = await one(
    tx,
    sql<{ count: number; known: boolean }>`
      select count(*)::int as count, coalesce(bool_or(domain = ${domain}), false) as known
      from link_domains`,
  );
  if (!known && count >= PREVENTION_LIMITS.linkDomains.count)
    throw invalid(
      "domain",
      msg("There can be at most {count, number} link domains. Remove one first.", {
        count: PREVENTION_LIMITS.linkDomains.count,
      }),
    );
  await run(
    tx,
    sql`insert into link_domains (domain, action, explanation, changed_at, changed_by)
      values (${domain}, ${action}, ${explanation}, ${tx.now}, ${viewer.id})
      on conflict (domain) do update set action = excluded.action, explanation = excluded.explanation,
        changed_at = excluded.changed_at, changed_by = excluded.changed_by`,
  );
  await recordChange(tx, viewer, known ? "link-domain.changed" : "link-domain.added", { domain, action });
  return { domain };
}

/**
 * Removes a domain.
 * @throws `not-found` for all but staff and for a domain that is not listed
 */
export async function removeLinkDomain(tx: Tx, viewer: Viewer, domain: string): Promise<void> {
  assertStaff(viewer);
  await lockCheckedTexts(tx);
  const removed = await maybeOne(
    tx,
    sql<Pick<LinkDomain, "domain" | "action">>`
      delete from link_domains where domain = ${toStorableText(domain)} returning domain, action`,
  );
  if (!removed) throw notFound();
  await recordChange(tx, viewer, "link-domain.removed", removed);
}

async function recordChange(
  tx: Tx,
  viewer: Viewer,
  act: string,
  { domain, action }: Pick<LinkDomain, "domain" | "action">,
): Promise<void> {
  await renewCheckVersion(tx);
  await writeAudit(tx, viewer, { act, kind: "link-domain", id: domain, details: { value: domain, action } });
}
