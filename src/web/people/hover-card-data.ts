import { listGroupsOfPerson } from "#community/groups";
import { findConversationWith } from "#community/conversations";
import { getFriendState } from "#community/friends";
import { getPerson } from "#community/accounts";
import { createExcerpt } from "#platform/markup";
import { notFound } from "#platform/refusal";
import { isSignedIn } from "#community/rules";
import { data } from "react-router";
import { defineLoader } from "../request-context.ts";

/**
 * Returns a person's summary for the hover card, for members.
 * @throws `not-found` as on the profile, and for people the viewer blocks
 */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  if (!isSignedIn(viewer)) throw notFound();
  const person = await getPerson(db, viewer, params["id"] ?? "");
  if (person.viewerBlocks || person.state === "erased") throw notFound();
  const { id, name, username, photoId, isSelf, about } = person;
  const [groups, standing, conversation] = isSelf
    ? [null, null, null]
    : await Promise.all([
        listGroupsOfPerson(db, viewer, id, {}),
        getFriendState(db, viewer, id),
        findConversationWith(db, viewer, id),
      ]);
  const shared = groups?.rows.filter((group) => group.viewerState === "member") ?? [];
  return data({
    id,
    name,
    username,
    photoId,
    line: createExcerpt(about?.bioHtml ?? "", 120) || about?.location || "",
    groups: shared.slice(0, 3).map((group) => group.name),
    moreGroups: Math.max(0, shared.length - 3),
    canAsk: standing?.state === "none" && standing.canAsk,
    isFriend: standing?.state === "friends",
    message: conversation
      ? { conversationId: conversation.id }
      : standing?.canWrite
        ? { to: username }
        : null,
  });
});

export type PersonSummary = Awaited<ReturnType<typeof loader>>["data"];
