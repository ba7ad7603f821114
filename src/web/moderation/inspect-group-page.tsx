import { Form, redirect } from "react-router";
import {
  endInspection,
  inspectDiscussion,
  listInspectedDiscussions,
  inspectGroup,
  getInspection,
  type InspectedDiscussion,
  NewInspection,
} from "#community/moderation";
import { LIMITS } from "#community/rules";
import { requireMember } from "../auth-middleware.ts";
import { readQueryParam, parseForm } from "../form-parsing.ts";
import {
  EmptyState,
  FormErrors,
  NextPageLink,
  Notice,
  PageHeader,
  pageMeta,
  SubmitButton,
  TextArea,
  Time,
} from "../ui/index.ts";
import { ActionForm } from "../people/action-form.tsx";
import { Link } from "../ui/navigation/link.tsx";
import { urls } from "../urls.ts";
import { defineAction, defineLoader, type RejectedForm } from "../request-context.ts";
import { Rich, useTranslate } from "../i18n/index.ts";
import { InspectedPosts } from "./inspected-posts.tsx";
import type { Route } from "./+types/inspect-group-page";

export const middleware = [requireMember];

export const loader = defineLoader(async ({ app, ctx, db, viewer, params, url }) => {
  const discussionId = readQueryParam(url, "discussion");
  if (discussionId) {
    const inspected = await app.database.inTransaction((tx) =>
      inspectDiscussion(tx, viewer, discussionId, Number(readQueryParam(url, "page", 10)) || 1),
    );
    return { ...inspected, discussionId, discussions: null };
  }
  const after = readQueryParam(url, "after", 1000) || undefined;
  return {
    ...(await listInspectedDiscussions(db, viewer, params["groupId"]!, { after, now: ctx.now })),
    posts: null,
  };
});

export const action = defineAction(async ({ app, ctx, db, viewer, form, params }) => {
  const { group } = await getInspection(db, viewer, params["groupId"]!, ctx.now);
  form.set("groupId", group.id);
  if (form.get("intent") === "end") {
    await app.database.inTransaction((tx) => endInspection(tx, viewer, { groupId: group.id }));
    return redirect(urls.groups());
  }
  await app.database.inTransaction((tx) => inspectGroup(tx, viewer, parseForm(NewInspection, form)));
  return redirect(urls.inspectGroup(group.id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"] | RejectedForm>((_data, t) => ({
  title: t("Inspect group"),
  hidden: true,
}));

type Data = Route.ComponentProps["loaderData"];

/** Lets admins read a group of which they are not members, for one hour and with a stated reason. */
export default function InspectGroup({ loaderData: it }: Route.ComponentProps) {
  const t = useTranslate();
  return (
    <>
      <PageHeader title={t("Inspect group")} lead={it.group.name ?? t("Secret group")} />
      {it.open ? <InspectionView it={it} open={it.open} /> : <InspectionForm />}
    </>
  );
}

function InspectionForm() {
  const t = useTranslate();
  return (
    <Form method="post" className="grid gap-5">
      <FormErrors />
      <p className="max-w-measure">
        {t(
          "You are not a member of this group. You can inspect it for an hour if there is no other " +
            "way. Its owners are notified with your reason; your name and the discussions you read are logged.",
        )}
      </p>
      <TextArea name="reason" label={t("Reason")} required maxLength={LIMITS.reason} dir="auto" />
      <div>
        <SubmitButton busy={t("One moment…")}>{t("Inspect group")}</SubmitButton>
      </div>
    </Form>
  );
}

function InspectionView({ it, open }: { it: Data; open: NonNullable<Data["open"]> }) {
  const t = useTranslate();
  return (
    <>
      <Notice tone="pending">
        <p>
          <Rich
            text="Inspection of this group, read-only. Ends <0></0>"
            parts={{ 0: <Time at={open.until} /> }}
          />
        </p>
        <p dir="auto" className="my-2 break-words">
          {open.reason}
        </p>
        <ActionForm intent="end" action={urls.inspectGroup(it.group.id)} fields={{}} busy={t("One moment…")}>
          {t("End inspection")}
        </ActionForm>
      </Notice>
      {it.posts ? (
        <InspectedPosts it={it} />
      ) : (
        <InspectedDiscussions groupId={it.group.id} page={it.discussions} />
      )}
    </>
  );
}

function InspectedDiscussions({ groupId, page }: { groupId: string; page: Data["discussions"] }) {
  const t = useTranslate();
  if (!page || page.rows.length === 0) return <EmptyState title={t("No items yet.")} />;
  return (
    <>
      <h2 className="sr-only">{t("Discussions")}</h2>
      <ul className="mt-4">
        {page.rows.map((row) => (
          <InspectedDiscussionRow key={row.id} groupId={groupId} row={row} />
        ))}
      </ul>
      <NextPageLink to={page.next && urls.inspectGroup(groupId, { after: page.next })} />
    </>
  );
}

function InspectedDiscussionRow({ groupId, row }: { groupId: string; row: InspectedDiscussion }) {
  const t = useTranslate();
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <Link
        to={urls.inspectGroup(groupId, { discussion: row.id })}
        dir="auto"
        className="break-words font-semibold"
      >
        {row.title}
      </Link>
      <p className="text-small text-quiet">
        <bdi>{row.author.name}</bdi> · {t("{n, plural, one {# post} other {# posts}}", { n: row.posts })} ·{" "}
        <Time at={row.lastPostAt} />
      </p>
    </li>
  );
}
