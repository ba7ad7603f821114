import { uuidv7 } from "#platform/ids";
import { renderMarkdown } from "#platform/markup";
import type { Row } from "../bulk-insert.ts";
import type { SeedingContext } from "./seeding-context.ts";

const idAt = (s: SeedingContext, hoursAgo: number) => uuidv7(s.at(hoursAgo).getTime());

/** People whose registration waits for approval. They cannot sign in. */
export const createPendingPeopleRows = (s: SeedingContext): Row[] =>
  s.demo.moderation.pendingPeople.map((it) => ({
    id: idAt(s, it.ago),
    username: it.username,
    display_name: it.name,
    email: it.email,
    email_confirmed_at: s.at(it.ago),
    site_role: "member",
    trust: "new",
    state: "pending_approval",
    locale: it.locale,
    time_zone: it.timeZone,
    theme: "system",
    privacy: {},
    join_reason: it.reason,
    created_at: s.at(it.ago),
  }));

/** Groups that wait for approval, with their owners as only members. */
export function createPendingGroupRows(s: SeedingContext): { groups: Row[]; memberships: Row[] } {
  const pending = s.demo.moderation.pendingGroups.map((it) => ({ it, id: idAt(s, it.ago) }));
  return {
    groups: pending.map(({ it, id }) => ({
      id,
      slug: `${it.slug}-${id.slice(-6)}`,
      name: it.name,
      purpose: it.purpose,
      about_md: it.about,
      about_html: renderMarkdown(it.about),
      topic: "",
      visibility: it.visibility,
      join_policy: it.joinPolicy,
      history_policy: "shared",
      state: "pending",
      header_style: it.header,
      rules: [],
      questions: [],
      created_by: s.person(it.owner),
      created_at: s.at(it.ago),
      last_active_at: s.at(it.ago),
      members_count: 1,
    })),
    memberships: pending.map(({ it, id }) => ({
      group_id: id,
      person_id: s.person(it.owner),
      state: "member",
      answers: [],
      notify_level: "highlights",
      role: "owner",
      joined_at: s.at(it.ago),
      changed_at: s.at(it.ago),
    })),
  };
}

/** Discussions of new members that wait for approval. */
export const createPendingPostRows = (s: SeedingContext): Row[] =>
  s.demo.moderation.pendingPosts.map((it) => {
    const id = idAt(s, it.ago);
    return {
      id,
      author_id: s.person(it.author),
      group_id: s.group(it.group),
      visibility: s.demo.groups.find(({ slug }) => slug === it.group)!.visibility,
      said: { title: it.title, body: it.body, tags: it.tags, pollOptions: [] },
      body_html: renderMarkdown(it.body, id),
      created_at: s.at(it.ago),
    };
  });

/** Reports of posts, with the posts as they are. */
export function createReportRows(s: SeedingContext): { reports: Row[]; messages: Row[] } {
  const discussions = new Map(
    Object.values(s.demo.discussions)
      .flat()
      .map((it) => [it.key, it]),
  );
  const reported = s.demo.moderation.reports.map((it) => ({
    it,
    id: idAt(s, it.ago),
    post: discussions.get(it.discussion)!.posts.find(({ n }) => n === it.post)!,
  }));
  return {
    reports: reported.map(({ it, id }) => ({
      id,
      reporter_id: s.person(it.by),
      post_id: s.post(it.discussion, it.post),
      reason: it.reason,
      created_at: s.at(it.ago),
      resolved_at: it.resolved && s.at(it.resolved.ago),
      resolved_by: it.resolved && s.person(it.resolved.by),
      outcome: it.resolved && it.resolved.outcome,
      note: it.resolved?.note ?? "",
      answer: "",
      appeal: false,
    })),
    messages: reported.map(({ it, id, post }) => ({
      report_id: id,
      seq: it.post,
      author_id: s.person(post.author),
      body_html: renderMarkdown(post.body, s.post(it.discussion, it.post)),
      written_at: s.at(post.ago),
      chosen: true,
    })),
  };
}
