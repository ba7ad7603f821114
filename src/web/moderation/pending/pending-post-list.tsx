import type { ReactElement } from "react";
import { Form } from "react-router";
import type { PendingPost } from "#community/discussions";
import { LIMITS } from "#community/rules";
import { ActionForm } from "../../people/action-form.tsx";
import { EmptyState, Menu, PersonLink, Prose, SubmitButton, Tag, Time } from "../../ui/index.ts";
import { useEventTimes } from "../../calendar/event-times.ts";
import { Link } from "../../ui/navigation/link.tsx";
import { urls } from "../../urls.ts";
import { Rich, useTranslate } from "../../i18n/index.ts";
import { PendingProfile } from "./pending-profile.tsx";
import { PendingReason } from "./pending-reason.tsx";
import { PendingResource } from "./pending-resource.tsx";

/**
 * Pending posts of new members in full, with buttons to approve or return them. `ofOne`: all are in one
 * group, which the page names above the list.
 */
export function PendingPostList({ rows, ofOne = false }: { rows: PendingPost[]; ofOne?: boolean }) {
  const t = useTranslate();
  if (rows.length === 0)
    return (
      <div className="mt-5">
        <EmptyState title={t("Nothing to do.")}>
          {t("Posts, events, resources and profile texts that need approval appear here.")}
        </EmptyState>
      </div>
    );
  return (
    <ul>
      {rows.map((row) => (
        <li key={row.id} className="border-b border-line py-4 last:border-b-0" data-item>
          <PostOrigin row={ofOne ? { ...row, group: null } : row} />
          <PendingReason reason={row.approvalReason} />
          <PendingPostContent row={row} />
          <ApprovalButtons row={row} />
        </li>
      ))}
    </ul>
  );
}

/** The author, how long they have been a member, and where the post would appear. */
function PostOrigin({
  row: {
    author,
    authorSince,
    authorPosts,
    place: target,
    answersTo,
    changesTo,
    isChange,
    resource,
    group,
    createdAt,
  },
}: {
  row: PendingPost;
}) {
  const t = useTranslate();
  const shownNumber = changesTo ?? answersTo;
  const at = shownNumber === null ? {} : { post: shownNumber };
  const to = {
    discussion: urls.discussion(target.id),
    resource: urls.resource(target.id),
    group: urls.group(target.slug ?? ""),
    library: urls.resources({ group: target.id }),
    profile: urls.person(author.id),
  }[target.kind];
  const toPost = target.kind === "discussion" ? urls.discussion(target.id, at) : urls.resource(target.id, at);
  return (
    <>
      <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-small text-quiet">
        <PersonLink person={author} />
        <span>
          <Rich text="joined <0></0>" parts={{ 0: <Time at={authorSince} /> }} /> ·{" "}
          {t("{count, plural, =0 {no posts so far} one {# post so far} other {# posts so far}}", {
            count: authorPosts,
          })}
        </span>
      </p>
      <p className="mt-1 break-words text-small text-quiet">
        <PostTarget
          kind={target.kind}
          isChange={isChange}
          isResource={resource !== null}
          place={
            <Link to={to} dir="auto">
              {target.kind === "profile" ? author.name : target.title || t("Whole community")}
            </Link>
          }
        />{" "}
        {shownNumber !== null && (
          <Link
            to={toPost}
            aria-label={t("post {number}", { number: shownNumber })}
          >{`#${shownNumber}`}</Link>
        )}
        {group && target.kind !== "group" && target.kind !== "library" && (
          <>
            {" "}
            · <bdi>{group.name}</bdi>
          </>
        )}{" "}
        · <Time at={createdAt} />
      </p>
    </>
  );
}

function PostTarget({
  kind,
  isChange,
  isResource,
  place,
}: {
  kind: PendingPost["place"]["kind"];
  isChange: boolean;
  isResource: boolean;
  place: ReactElement;
}) {
  if (isChange && isResource) return <Rich text="Changed resource: <0></0>" parts={{ 0: place }} />;
  if (isChange) return <Rich text="Changed post in <0></0>" parts={{ 0: place }} />;
  if (kind === "discussion") return <Rich text="Reply in <0></0>" parts={{ 0: place }} />;
  if (kind === "profile") return <Rich text="Profile of <0></0>" parts={{ 0: place }} />;
  if (kind === "library") return <Rich text="New resource in <0></0>" parts={{ 0: place }} />;
  if (kind === "resource") return <Rich text="Comment on <0></0>" parts={{ 0: place }} />;
  return <Rich text="New discussion in <0></0>" parts={{ 0: place }} />;
}

function PendingPostContent({
  row: { title, html, tags, pollOptions, event, resource, profile, approvalReason },
}: {
  row: PendingPost;
}) {
  const t = useTranslate();
  return (
    <div className="my-2">
      {title && (
        <h3 dir="auto" className="font-serif text-read leading-6 font-medium break-words">
          {title}
        </h3>
      )}
      {event && <PendingEventFacts event={event} />}
      {resource && <PendingResource resource={resource} />}
      {profile && !approvalReason && <p>{t("Links of new members need approval here.")}</p>}
      {profile && <PendingProfile texts={profile} />}
      <Prose html={html} />
      {pollOptions.length > 0 && (
        <ul className="mt-2 list-disc ps-5">
          {pollOptions.map((option) => (
            <li key={option} dir="auto" className="break-words">
              {option}
            </li>
          ))}
        </ul>
      )}
      {tags.length > 0 && (
        <p className="mt-2 flex flex-wrap gap-1.5">
          {tags.map((tag) => (
            <Tag key={tag}>{tag}</Tag>
          ))}
        </p>
      )}
    </div>
  );
}

/** The event that will be created with the discussion. */
function PendingEventFacts({
  event: { startsAt, endsAt, ...event },
}: {
  event: NonNullable<PendingPost["event"]>;
}) {
  const t = useTranslate();
  const { when } = useEventTimes();
  const times = { ...event, startsAt: new Date(startsAt), endsAt: new Date(endsAt) };
  return (
    <p className="mb-2 text-small text-quiet figures" suppressHydrationWarning>
      <Tag>{t("Event")}</Tag> {[when(times), event.place].filter(Boolean).join(" · ")}
    </p>
  );
}

function ApprovalButtons({ row: { id, author, profile } }: { row: PendingPost }) {
  const t = useTranslate();
  const field = `answer-${id}`;
  const { name } = author;
  const labels = profile
    ? {
        approve: t("Approve {name}'s profile text", { name }),
        back: t("Return {name}'s profile text", { name }),
      }
    : { approve: t("Approve {name}'s post", { name }), back: t("Return {name}'s post", { name }) };
  return (
    <div className="flex flex-wrap items-center gap-2">
      <ActionForm
        intent="approve"
        kind="primary"
        fields={{ pendingPostId: id }}
        busy={t("Approving…")}
        label={labels.approve}
      >
        {t("Approve")}
      </ActionForm>
      <Menu label={labels.back} summary={t("Return…")}>
        <Form method="post" preventScrollReset className="grid w-64 gap-2 p-2">
          <input type="hidden" name="intent" value="return" />
          <input type="hidden" name="pendingPostId" value={id} />
          <label htmlFor={field} className="text-small text-quiet">
            {t("What should be changed? {name} will read it and can send it again.", { name: author.name })}
          </label>
          <textarea
            id={field}
            name="answer"
            rows={3}
            required
            maxLength={LIMITS.reason}
            dir="auto"
            className="input h-24 min-h-0"
          />
          <SubmitButton busy={t("Returning…")}>{t("Return")}</SubmitButton>
        </Form>
      </Menu>
    </div>
  );
}
