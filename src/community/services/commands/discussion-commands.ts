import { z } from "zod";
import {
  archiveDiscussion,
  addBookmark,
  deletePost,
  removeBookmark,
  editPost,
  lockDiscussion,
  NewDiscussion,
  NewReaction,
  NewReply,
  NewTitle,
  pinDiscussion,
  PostEdit,
  addReaction,
  renameDiscussion,
  reopenDiscussion,
  reply,
  resolveDiscussion,
  startDiscussion,
  unarchiveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
  removeReaction,
} from "#community/discussions";
import { requireSignedIn } from "#community/friends";
import { BookmarkInput, reasonField } from "../define-service.ts";
import { type RecordCommands, invalidTransition, splitId, parseInput, applyOnce } from "./record-commands.ts";

/** Renames the API's column `text` to `body`, as the commands call it. */
const toBodyInput = ({ text, replyTo, ...given }: Record<string, unknown>) => ({
  ...given,
  body: text ?? "",
  ...(typeof replyTo === "string" && { replyTo }),
});
const ReasonInput = z.object({ reason: reasonField });
const readReason = (input: Record<string, unknown>, column = "reason") =>
  parseInput(ReasonInput, { reason: input[column] ?? "" });

export const Discussions: RecordCommands = {
  create: async ({ tx, viewer }, input) =>
    (await startDiscussion(tx, viewer, parseInput(NewDiscussion, toBodyInput(input)))).id,
  update: {
    ...applyOnce(["title", "tags"], ({ tx, viewer }, now, input) => {
      const { objectId: discussionId, title, tags, reason } = { ...now, ...input };
      return renameDiscussion(
        tx,
        viewer,
        parseInput(NewTitle, { discussionId, title, tags, reason: reason ?? "" }),
      );
    }),
    ...applyOnce(["locked", "lockedReason"], ({ tx, viewer }, { objectId: discussionId }, input) =>
      input["locked"] === true
        ? lockDiscussion(tx, viewer, { discussionId, ...readReason(input, "lockedReason") })
        : unlockDiscussion(tx, viewer, { discussionId, ...readReason(input) }),
    ),
    pinned: ({ tx, viewer }, { objectId: discussionId }, input) =>
      (input["pinned"] === true ? pinDiscussion : unpinDiscussion)(tx, viewer, {
        discussionId,
        ...readReason(input),
      }),
    ...applyOnce(["resolved", "answerId"], ({ tx, viewer }, { objectId: discussionId }, input) => {
      const { resolved, answerId } = input;
      const it = { discussionId, ...readReason(input) };
      return resolved === true
        ? resolveDiscussion(tx, viewer, { ...it, ...(typeof answerId === "string" && { postId: answerId }) })
        : reopenDiscussion(tx, viewer, it);
    }),
    state({ tx, viewer }, { objectId: discussionId, state }, input) {
      if (state === "open" && input["state"] === "archived")
        return archiveDiscussion(tx, viewer, { discussionId, ...readReason(input) });
      if (state === "archived" && input["state"] === "open")
        return unarchiveDiscussion(tx, viewer, { discussionId, ...readReason(input) });
      throw invalidTransition(state, input["state"]);
    },
  },
  remove: "Deleting a discussion needs a reason: call Discussions/delete.",
};

export const Posts: RecordCommands = {
  create: async ({ tx, viewer }, input) =>
    (await reply(tx, viewer, parseInput(NewReply, toBodyInput(input)))).id,
  update: {
    // Includes the version on which the edit is based.
    ...applyOnce(["text", "version"], ({ tx, viewer }, now, input) => {
      const { objectId: postId, text, version, reason = "" } = { ...now, ...input };
      return editPost(tx, viewer, parseInput(PostEdit, { postId, body: text ?? "", version, reason }));
    }),
  },
  remove: ({ tx, viewer }, { objectId: postId }) => deletePost(tx, viewer, { postId }),
};

export const Reactions: RecordCommands = {
  async create({ tx, viewer }, given) {
    const input = parseInput(NewReaction, given);
    await addReaction(tx, viewer, input);
    return `${input.postId}:${requireSignedIn(viewer).id}:${input.emoji}`;
  },
  update: "Reactions can only be added or removed.",
  remove({ tx, viewer }, { objectId }) {
    const [postId, personId, emoji] = splitId(objectId);
    if (personId !== viewer.id) throw invalidTransition("theirs", "gone");
    return removeReaction(tx, viewer, { postId, emoji });
  },
};

export const Bookmarks: RecordCommands = {
  async create({ tx, viewer }, given) {
    const input = parseInput(BookmarkInput, { ...given, remindAt: given["remindAt"] ?? undefined });
    await addBookmark(tx, viewer, input);
    return `${input.postId}:${requireSignedIn(viewer).id}`;
  },
  update: applyOnce(["note", "remindAt"], ({ tx, viewer }, now, input) => {
    const { note, remindAt } = { ...now, ...input };
    return addBookmark(
      tx,
      viewer,
      parseInput(BookmarkInput, { postId: now["postId"], note: note ?? "", remindAt: remindAt ?? undefined }),
    );
  }),
  remove: ({ tx, viewer }, now) => removeBookmark(tx, viewer, { postId: String(now["postId"]) }),
};
