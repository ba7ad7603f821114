import { Parser } from "htmlparser2";
import { DAY, HOUR, addMilliseconds, MINUTE } from "#platform/clock";
import { type Database, limit, many, maybeOne, run, sql, type Tx } from "#platform/database";
import { FetchError, type Fetcher } from "#platform/fetcher";
import { hashSecret } from "#platform/ids";
import { enqueueJob as doLater } from "#platform/jobs";
import { removeDisruptiveMarks } from "#platform/markup";
import { emit } from "#platform/outbox";
import { notFound, Refusal } from "#platform/refusal";
import { requireSignedIn } from "#community/friends";
import type { Viewer } from "#community/rules";
import { getPost } from "./post-queries.ts";

const MAX_PREVIEWS = 3;
const REFRESH_INTERVAL = 7 * DAY;

const TRACKING_PARAMETER = /^(utm_\w+|fbclid|gclid|mc_eid)$/;

/**
 * Normalizes a preview address: drops the fragment and tracking parameters. Null if it cannot be a web page.
 */
export function normalizePreviewUrl(href: string): string | null {
  if (!URL.canParse(href)) return null;
  const url = new URL(href);
  if (!/^https?:$/.test(url.protocol) || url.username || url.password) return null;
  url.hash = "";
  // All parameters are filtered in one pass: each `delete` would search all of them and rebuild the address.
  const params = [...url.searchParams].filter(([name]) => !TRACKING_PARAMETER.test(name));
  if (params.length < url.searchParams.size) url.search = new URLSearchParams(params).toString();
  return url.href.length <= 2_000 ? url.href : null;
}

/**
 * Stores the links of a post that are on a line of their own, and enqueues a job for those not fetched for a
 * week.
 */
export async function storeLinks(tx: Tx, postId: string, hrefs: string[]): Promise<void> {
  const addresses = [...new Set(hrefs.flatMap((href) => normalizePreviewUrl(href) ?? []))].slice(
    0,
    MAX_PREVIEWS,
  );
  await run(
    tx,
    sql`delete from post_links where post_id = ${postId} and address <> all(${addresses}::text[])`,
  );
  if (addresses.length === 0) return;
  const stale = await many(
    tx,
    sql<{ address: string }>`
      with wanted as (
        insert into link_previews (address, requested_at) select address, ${tx.now}
        from unnest(${addresses}::text[]) address order by address
        on conflict (address) do update set requested_at = excluded.requested_at
        returning address, fetched_at),
      kept as (
        insert into post_links (post_id, address, place)
        select ${postId}::uuid, wanted.address, array_position(${addresses}::text[], wanted.address)
        from wanted
        on conflict (post_id, address) do update set place = excluded.place)
      select address from wanted
      where fetched_at is null or fetched_at < ${addMilliseconds(tx.now, -REFRESH_INTERVAL)}`,
  );
  for (const { address } of stale)
    await doLater(tx, {
      task: "link-preview",
      payload: { address },
      key: previewJobKey(address),
      mostAttempts: 1,
    });
}

/** Job key of an address. The address is hashed because a key is limited to 512 characters. */
const previewJobKey = (address: string) => `link-preview:${hashSecret(address).toString("base64url")}`;

/**
 * Delays of the retries after a page did not respond. After the last one, only a new post with the link
 * causes another try.
 */
const RETRY_DELAYS = [10 * MINUTE, 2 * HOUR, DAY];

/**
 * Job: fetches a page and stores its preview. A link that leads to no web page gets no preview. If there is
 * no response, the present preview stays and a retry is scheduled; `before` is the number of failures so
 * far.
 */
export async function fetchLinkPreview(
  { inTransaction }: Database,
  fetcher: Pick<Fetcher, "page">,
  address: string,
  before = 0,
): Promise<void> {
  const previewTexts = await fetcher.page(address).then(
    ({ html, url }) => parseLinkPreview(html, url) ?? NO_PREVIEW,
    (error: unknown) => {
      if (error instanceof FetchError) return error.passing ? null : NO_PREVIEW;
      throw error;
    },
  );
  await inTransaction((tx) =>
    previewTexts ? storePreview(tx, address, previewTexts) : scheduleRetry(tx, address, before),
  );
}

async function storePreview(
  tx: Tx,
  address: string,
  { title, description, site }: PreviewTexts,
): Promise<void> {
  const { isNew } =
    (await maybeOne(
      tx,
      sql<{ isNew: boolean }>`
        update link_previews v set title = ${title}, description = ${description}, site = ${site},
          fetched_at = ${tx.now}
        from link_previews was where v.address = ${address} and was.address = v.address
        returning (was.title, was.description, was.site) is distinct from (v.title, v.description,
          v.site) as "isNew"`,
    )) ?? {};
  if (isNew) await emitPreviewChanges(tx, address);
}

async function scheduleRetry(tx: Tx, address: string, before: number): Promise<void> {
  const pause = RETRY_DELAYS[before];
  if (pause === undefined)
    return void (await run(
      tx,
      sql`update link_previews set fetched_at = ${tx.now} where address = ${address}`,
    ));
  const payload = { address, before: before + 1 };
  await doLater(tx, {
    task: "link-preview",
    payload,
    key: previewJobKey(address),
    mostAttempts: 1,
    runAt: addMilliseconds(tx.now, pause),
  });
}

/**
 * Maximum number of posts whose readers get a live update. Readers of other posts see the preview when they
 * open them.
 */
const MAX_CHANGED_POSTS = 100;

async function emitPreviewChanges(tx: Tx, address: string): Promise<void> {
  const shownIn = await many(
    tx,
    sql<{ postId: string; discussionId: string | null; resourceId: string | null; groupId: string | null }>`
      select p.id as "postId", p.discussion_id as "discussionId", p.resource_id as "resourceId",
        coalesce(d.group_id, r.group_id) as "groupId"
      from post_links l join posts p on p.id = l.post_id left join discussions d on d.id = p.discussion_id
      left join resources r on r.id = p.resource_id
      where l.address = ${address} and l.removed_at is null and p.state = 'published'
      order by p.created_at desc ${limit(MAX_CHANGED_POSTS)}`,
  );
  for (const at of shownIn) await emit(tx, { type: "link.previewed", ...at });
}

type PreviewTexts = { title: string; description: string; site: string };
const NO_PREVIEW: PreviewTexts = { title: "", description: "", site: "" };

/** Title, description and site from the head of a page. Null without a title. */
export function parseLinkPreview(html: string, url: string): PreviewTexts | null {
  const metas = new Map<string, string>();
  let title = "";
  let inTitle = false;
  const parser = new Parser({
    onopentag(name, { property, name: called, content }) {
      inTitle = name === "title" && title === "";
      const key = (property ?? called ?? "").toLowerCase();
      if (name === "meta" && content && !metas.has(key)) metas.set(key, content);
      if (name === "body") parser.reset();
    },
    ontext: (text) => void (inTitle && (title += text)),
    onclosetag: () => void (inTitle = false),
  });
  parser.write(html);
  const first = (most: number, ...values: (string | undefined)[]) =>
    cleanText(values.find((value) => value?.trim()) ?? "", most);
  const found = {
    title: first(200, metas.get("og:title"), title),
    description: first(300, metas.get("og:description"), metas.get("description")),
    site: first(80, metas.get("og:site_name"), new URL(url).hostname.replace(/^www\./, "")),
  };
  return found.title === "" ? null : found;
}

const cleanText = (text: string, most: number) => {
  const words = removeDisruptiveMarks(text.toWellFormed())
    .replace(/[\p{Cc}\s]+/gu, " ")
    .trim();
  return words.length <= most
    ? words
    : `${words
        .slice(0, most - 1)
        .toWellFormed()
        .trimEnd()}…`;
};

/**
 * Permanently removes a link preview from the viewer's own post. The link itself stays.
 * @throws `not-found`, `not-allowed` for another person's post
 */
export async function removeLinkPreview(
  tx: Tx,
  viewer: Viewer,
  input: { postId: string; address: string },
): Promise<void> {
  const me = requireSignedIn(viewer);
  const post = await getPost(tx, me, input.postId);
  if (!post.mine || post.html === null)
    throw new Refusal("not-allowed", "Only the author can remove a link preview.");
  const gone = await maybeOne(
    tx,
    sql`update post_links set removed_at = ${tx.now}
      where post_id = ${post.id} and address = ${input.address} and removed_at is null returning 1`,
  );
  if (!gone) throw notFound();
  await emit(tx, {
    type: "post.card-removed",
    discussionId: post.discussionId,
    resourceId: post.resourceId,
    postId: post.id,
    by: me.id,
  });
}

/** Deletes previews that no post uses now. */
export const purgeLinkPreviews = (tx: Tx): Promise<number> =>
  run(
    tx,
    sql`delete from link_previews where address in (
      select address from link_previews v where requested_at < ${addMilliseconds(tx.now, -REFRESH_INTERVAL)}
        and not exists (select from post_links l where l.address = v.address)
      limit 200 for update skip locked)`,
  );
