import { renderMarkdown } from "#platform/markup";
import type { DemoGroup } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import { listDemoPosts, type Seeding } from "./seeding-context.ts";

const PROFILE_FIELDS: Record<string, string> = {
  skills: "Good at",
  askMeAbout: "Ask me about",
  website: "Website",
};

export const createPeopleRows = (s: Seeding, passwords: Map<string, string | null>): Row[] =>
  s.demo.people.map((it) => ({
    id: s.person(it.username),
    username: it.username,
    display_name: it.name,
    email: it.email,
    email_confirmed_at: s.at(it.joinedAgo),
    password_hash: passwords.get(it.username) ?? null,
    password_changed_at: passwords.has(it.username) ? s.at(it.joinedAgo) : null,
    site_role: it.role,
    trust: it.trust,
    state: "active",
    locale: it.locale,
    time_zone: it.timeZone,
    theme: "system",
    pronouns: it.pronouns,
    location: it.location,
    bio_md: it.bio,
    bio_html: renderMarkdown(it.bio),
    privacy: {},
    photo_alt: `Drawn portrait of ${it.name}`,
    header_style: it.header,
    fields: Object.entries(it.fields).map(([key, value]) => ({
      label: PROFILE_FIELDS[key] ?? key,
      value,
      audience: "members",
    })),
    seen_at: s.at(it.seenAgo),
    created_at: s.at(it.joinedAgo),
  }));

export const createFriendshipRows = (s: Seeding): Row[] =>
  s.demo.friendships.map((it) => {
    const [low, high] = [s.person(it.a), s.person(it.b)].sort();
    return {
      low_id: low,
      high_id: high,
      state: it.state,
      requested_by: s.person(it.by),
      note: "",
      requested_at: s.at(it.ago),
      changed_at: s.at(it.ago),
      cancelled: false,
    };
  });

export const createGroupRows = (s: Seeding): Row[] =>
  s.demo.groups.map((it) => ({
    id: s.group(it.slug),
    slug: it.slug,
    name: it.name,
    purpose: it.purpose,
    about_md: it.about,
    about_html: renderMarkdown(it.about),
    topic: it.topic,
    visibility: it.visibility,
    join_policy: it.joinPolicy,
    history_policy: it.historyPolicy,
    state: it.state,
    header_style: it.header,
    rules: it.rules,
    questions: it.questions,
    created_by: s.person(it.owner),
    created_at: s.at(it.createdAgo),
    archived_at: it.state === "archived" ? s.at(hoursSinceActivity(s, it)) : null,
    last_active_at: s.at(hoursSinceActivity(s, it)),
    members_count: it.members.length,
  }));

const hoursSinceActivity = (s: Seeding, it: DemoGroup) =>
  Math.min(
    it.createdAgo,
    ...(s.demo.discussions[it.slug] ?? []).flatMap(listDemoPosts).map((post) => post.ago),
  );

export const createMembershipRows = (s: Seeding): Row[] =>
  s.demo.groups.flatMap((it) => [
    ...it.members.map(({ who, ago }) => ({
      group_id: s.group(it.slug),
      person_id: s.person(who),
      state: "member",
      answers: [],
      notify_level: "highlights",
      role: who === it.owner ? "owner" : it.moderators.includes(who) ? "moderator" : "member",
      joined_at: s.at(ago),
      changed_at: s.at(ago),
    })),
    ...it.requests.map(({ who, ago, answers }) => ({
      group_id: s.group(it.slug),
      person_id: s.person(who),
      state: "requested",
      notify_level: "highlights",
      role: "member",
      joined_at: null,
      changed_at: s.at(ago),
      answers: it.questions.map((question, i) => ({ question, answer: answers[i] ?? "" })),
    })),
  ]);

export const createSettingRows = (s: Seeding): Row[] => {
  const { name, sentence, welcome, rules, about, privacy } = s.demo.community;
  const values = {
    name,
    sentence,
    welcome,
    about,
    rules: rules.map((rule, i) => `${i + 1}. ${rule}`).join("\n"),
    rulesVersion: 1,
    privacyText: privacy,
  };
  return Object.entries(values).map(([key, value]) => ({
    key,
    value,
    changed_at: s.at(0),
    changed_by: null,
  }));
};
