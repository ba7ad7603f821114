import { Form, redirect } from "react-router";
import {
  endInspection,
  inspectDiscussion,
  inspectedDiscussions,
  inspectGroup,
  inspectionOf,
  type InspectedDiscussion,
  NewInspection,
} from "#community/moderation";
import { LIMITS } from "#community/rules";
import { membersOnly } from "../auth.ts";
import { asked, parseForm } from "../forms.ts";
import { Empty, FormFaults, NextPage, Notice, PageHead, pageMeta, SubmitButton, TextArea, Time } from "../ui/index.ts";
import { Act } from "../people/act.tsx";
import { Link } from "../ui/link.tsx";
import { urls } from "../urls.ts";
import { acting, reading, type Refused } from "../visit.ts";
import { Rich, useWords } from "../words/index.ts";
import { InspectedPosts } from "./inspected-posts.tsx";
import type { Route } from "./+types/inspect";

export const middleware = [membersOnly];

export const loader = reading(async ({ house, visit, db, viewer, params, url }) => {
  const discussionId = asked(url, "discussion");
  if (discussionId) {
    const inspected = await house.database.inTransaction((tx) =>
      inspectDiscussion(tx, viewer, discussionId, Number(asked(url, "page", 10)) || 1),
    );
    return { ...inspected, discussionId, discussions: null };
  }
  const after = asked(url, "after", 1000) || undefined;
  return { ...(await inspectedDiscussions(db, viewer, params["groupId"]!, { after, now: visit.now })), posts: null };
});

export const action = acting(async ({ house, visit, db, viewer, form, params }) => {
  const { group } = await inspectionOf(db, viewer, params["groupId"]!, visit.now);
  form.set("groupId", group.id);
  if (form.get("intent") === "end") {
    await house.database.inTransaction((tx) => endInspection(tx, viewer, { groupId: group.id }));
    return redirect(urls.groups());
  }
  await house.database.inTransaction((tx) => inspectGroup(tx, viewer, parseForm(NewInspection, form)));
  return redirect(urls.inspectGroup(group.id));
});

export const meta = pageMeta<Route.ComponentProps["loaderData"] | Refused>((_data, t) => ({ title: t("Look into a group"), hidden: true }));

type Data = Route.ComponentProps["loaderData"];

/** Lets admins inspect a group they are not in, for a stated reason and for an hour. */
export default function Inspect({ loaderData: it }: Route.ComponentProps) {
  const t = useWords();
  return (
    <>
      <PageHead title={t("Look into a group")} lead={it.group.name ?? t("A secret group")} />
      {it.open ? <Looking it={it} open={it.open} /> : <Asking />}
    </>
  );
}

function Asking() {
  const t = useWords();
  return (
    <Form method="post" className="grid gap-5">
      <FormFaults />
      <p className="max-w-measure">
        {t(
          "You do not read this group. You can look into it for an hour, where something has to be cleared up that cannot be cleared up otherwise. Its owners are told at once, with what you say here. Your name and each discussion that you read stand in the group’s log, which they read.",
        )}
      </p>
      <TextArea name="reason" label={t("Why do you have to read it?")} required maxLength={LIMITS.reason} dir="auto" />
      <div>
        <SubmitButton busy={t("One moment…")}>{t("Look into it")}</SubmitButton>
      </div>
    </Form>
  );
}

function Looking({ it, open }: { it: Data; open: NonNullable<Data["open"]> }) {
  const t = useWords();
  return (
    <>
      <Notice tone="pending">
        <p>
          <Rich text="You look into this group: you can read, and do nothing else. It ends <0></0>" parts={[<Time at={open.until} />]} />
        </p>
        <p dir="auto" className="my-2 break-words">
          {open.reason}
        </p>
        <Act intent="end" action={urls.inspectGroup(it.group.id)} fields={{}} busy={t("One moment…")}>
          {t("Stop looking")}
        </Act>
      </Notice>
      {it.posts ? <InspectedPosts it={it} /> : <Discussions groupId={it.group.id} page={it.discussions} />}
    </>
  );
}

function Discussions({ groupId, page }: { groupId: string; page: Data["discussions"] }) {
  const t = useWords();
  if (!page || page.rows.length === 0) return <Empty title={t("Nothing stands here yet.")} />;
  return (
    <>
      <h2 className="sr-only">{t("Discussions")}</h2>
      <ul className="mt-4">
        {page.rows.map((row) => (
          <DiscussionLine key={row.id} groupId={groupId} row={row} />
        ))}
      </ul>
      <NextPage to={page.next && urls.inspectGroup(groupId, { after: page.next })} />
    </>
  );
}

function DiscussionLine({ groupId, row }: { groupId: string; row: InspectedDiscussion }) {
  const t = useWords();
  return (
    <li className="border-b border-line py-3 last:border-b-0">
      <Link to={urls.inspectGroup(groupId, { discussion: row.id })} dir="auto" className="break-words font-semibold">
        {row.title}
      </Link>
      <p className="text-small text-quiet">
        <bdi>{row.author.name}</bdi> · {t("{n, plural, one {# post} other {# posts}}", { n: row.posts })} · <Time at={row.lastPostAt} />
      </p>
    </li>
  );
}
