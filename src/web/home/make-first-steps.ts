import type { RequestContext } from "../request-context.ts";
import { translateFor } from "../translate-for.ts";
import { urls } from "../urls.ts";
import { hasIntroductionTitle } from "./introduction-discussion.ts";

type FirstStep = {
  to: string;
  icon: string;
  name: string;
  why: string;
};
/** Three first steps, with texts in the reader's language. */
export type FirstStepTexts = { title: string; steps: FirstStep[] };

type FirstStepFacts = {
  /** The introductions discussion that an admin has chosen; null without one. */
  introductions: string | null;
  discussions: { id: string; title: string }[];
  canCreate: boolean;
};

/**
 * First steps for new members; in an empty community, steps to create its first content. They are made on the
 * server, so that the home page does not contain code for steps that few people see.
 */
export function makeFirstSteps(
  ctx: RequestContext,
  { introductions, discussions, canCreate }: FirstStepFacts,
): FirstStepTexts {
  const profile: FirstStep = {
    to: ctx.me ? urls.settings(ctx.me.id) : urls.home(),
    icon: "icon-user-round",
    name: translateFor(ctx, "Complete your profile"),
    why: translateFor(ctx, "A name, a photo, a sentence in your profile."),
  };
  const title = translateFor(ctx, "First steps");
  if (discussions.length === 0 && canCreate)
    return { title, steps: [profile, createGroupStep(ctx), inviteStep(ctx)] };
  const hello = introductions ?? discussions.find(hasIntroductionTitle)?.id;
  return {
    title,
    steps: [
      {
        to: urls.groups({ tab: "discover" }),
        icon: "icon-users",
        name: translateFor(ctx, "Find a group"),
        why: translateFor(ctx, "Join one, and its discussions appear here."),
      },
      profile,
      {
        to: hello ? urls.discussion(hello) : urls.discussions(),
        icon: "icon-messages-square",
        name: translateFor(ctx, "Say hello"),
        why: translateFor(ctx, "Read a few discussions and reply to one."),
      },
    ],
  };
}

const createGroupStep = (ctx: RequestContext): FirstStep => ({
  to: urls.newGroup(),
  icon: "icon-users",
  name: translateFor(ctx, "Create the first group"),
  why: translateFor(ctx, "Discussions are held in groups. Start with one."),
});

const inviteStep = (ctx: RequestContext): FirstStep => ({
  to: `${urls.friends()}#invite-friends`,
  icon: "icon-user-plus",
  name: translateFor(ctx, "Invite people"),
  why: translateFor(ctx, "Create an invite link and send it."),
});
