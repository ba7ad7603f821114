import { renderMarkdown } from "#platform/markup";
import type { DemoGroup } from "./demo-data.ts";
import type { Row } from "../bulk-insert.ts";
import { listDemoPosts, type SeedingContext } from "./seeding-context.ts";

const PROFILE_FIELDS: Record<string, string> = {
  skills: "Good at",
  askMeAbout: "Ask me about",
  website: "Website",
};

export const createPeopleRows = (s: SeedingContext, passwords: Map<string, string | null>): Row[] =>
  s.demo.people.map((demoPerson) => ({
    id: s.person(demoPerson.username),
    username: demoPerson.username,
    display_name: demoPerson.name,
    email: demoPerson.email,
    email_confirmed_at: s.at(demoPerson.joinedAgo),
    password_hash: passwords.get(demoPerson.username) ?? null,
    password_changed_at: passwords.has(demoPerson.username) ? s.at(demoPerson.joinedAgo) : null,
    site_role: demoPerson.role,
    trust: demoPerson.trust,
    state: "active",
    locale: demoPerson.locale,
    time_zone: demoPerson.timeZone,
    theme: "system",
    pronouns: demoPerson.pronouns,
    location: demoPerson.location,
    bio_md: demoPerson.bio,
    bio_html: renderMarkdown(demoPerson.bio),
    privacy: {},
    photo_alt: `Drawn portrait of ${demoPerson.name}`,
    header_style: demoPerson.header,
    fields: Object.entries(demoPerson.fields).map(([key, value]) => ({
      label: PROFILE_FIELDS[key] ?? key,
      value,
      audience: "members",
    })),
    seen_at: s.at(demoPerson.seenAgo),
    created_at: s.at(demoPerson.joinedAgo),
  }));

export const createFriendshipRows = (s: SeedingContext): Row[] =>
  s.demo.friendships.map((demoFriendship) => {
    const [low, high] = [s.person(demoFriendship.a), s.person(demoFriendship.b)].sort();
    return {
      low_id: low,
      high_id: high,
      state: demoFriendship.state,
      requested_by: s.person(demoFriendship.by),
      note: "",
      requested_at: s.at(demoFriendship.ago),
      changed_at: s.at(demoFriendship.ago),
      cancelled: false,
    };
  });

export const createGroupRows = (s: SeedingContext): Row[] =>
  s.demo.groups.map((demoGroup) => ({
    id: s.group(demoGroup.slug),
    slug: demoGroup.slug,
    name: demoGroup.name,
    purpose: demoGroup.purpose,
    about_md: demoGroup.about,
    about_html: renderMarkdown(demoGroup.about),
    topic: demoGroup.topic,
    visibility: demoGroup.visibility,
    join_policy: demoGroup.joinPolicy,
    history_policy: demoGroup.historyPolicy,
    state: demoGroup.state,
    header_style: demoGroup.header,
    rules: demoGroup.rules,
    questions: demoGroup.questions,
    created_by: s.person(demoGroup.owner),
    created_at: s.at(demoGroup.createdAgo),
    archived_at: demoGroup.state === "archived" ? s.at(hoursSinceActivity(s, demoGroup)) : null,
    last_active_at: s.at(hoursSinceActivity(s, demoGroup)),
    members_count: demoGroup.members.length,
  }));

const hoursSinceActivity = (s: SeedingContext, demoGroup: DemoGroup) =>
  Math.min(
    demoGroup.createdAgo,
    ...(s.demo.discussions[demoGroup.slug] ?? []).flatMap(listDemoPosts).map((post) => post.ago),
  );

export const createMembershipRows = (s: SeedingContext): Row[] =>
  s.demo.groups.flatMap((demoGroup) => [
    ...demoGroup.members.map(({ who, ago }) => ({
      group_id: s.group(demoGroup.slug),
      person_id: s.person(who),
      state: "member",
      answers: [],
      notify_level: "highlights",
      role: who === demoGroup.owner ? "owner" : demoGroup.moderators.includes(who) ? "moderator" : "member",
      joined_at: s.at(ago),
      changed_at: s.at(ago),
    })),
    ...demoGroup.requests.map(({ who, ago, answers }) => ({
      group_id: s.group(demoGroup.slug),
      person_id: s.person(who),
      state: "requested",
      notify_level: "highlights",
      role: "member",
      joined_at: null,
      changed_at: s.at(ago),
      answers: demoGroup.questions.map((question, i) => ({ question, answer: answers[i] ?? "" })),
    })),
  ]);

export const createSettingRows = (s: SeedingContext): Row[] => {
  const { name, sentence, welcome, rules, citedRules, about, privacy } = s.demo.community;
  const values = {
    name,
    sentence,
    welcome,
    about,
    rules: rules.map((rule, i) => `${i + 1}. ${rule}`).join("\n"),
    rulesVersion: 1,
    siteRules: citedRules.map((text, i) => ({ id: `rule-${i + 1}`, text, isRetired: false })),
    privacyText: privacy,
  };
  return Object.entries(values).map(([key, value]) => ({
    key,
    value,
    changed_at: s.at(0),
    changed_by: null,
  }));
};
