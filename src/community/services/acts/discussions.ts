import { z } from "zod";
import {
  archiveDiscussion,
  bookmark,
  deletePost,
  dropBookmark,
  editPost,
  lockDiscussion,
  NewDiscussion,
  NewReaction,
  NewReply,
  NewTitle,
  pinDiscussion,
  PostChange,
  react,
  renameDiscussion,
  reopenDiscussion,
  reply,
  resolveDiscussion,
  startDiscussion,
  unarchiveDiscussion,
  unlockDiscussion,
  unpinDiscussion,
  unreact,
} from "#community/discussions";
import { signedIn } from "#community/friends";
import { BookmarkWish, reason } from "../service.ts";
import { type Acts, noWay, partsOf, read, together } from "./act.ts";

/** The API's column `text` is the commands' `body`. */
const written = ({ text, replyTo, ...given }: Record<string, unknown>) => ({
  ...given,
  body: text ?? "",
  ...(typeof replyTo === "string" && { replyTo }),
});
const Reasoned = z.object({ reason });
const reasonIn = (given: Record<string, unknown>, column = "reason") => read(Reasoned, { reason: given[column] ?? "" });

export const Discussions: Acts = {
  create: async ({ tx, viewer }, given) => (await startDiscussion(tx, viewer, read(NewDiscussion, written(given)))).id,
  update: {
    ...together(["title", "tags"], ({ tx, viewer }, now, given) => {
      const { objectId: discussionId, title, tags, reason } = { ...now, ...given };
      return renameDiscussion(tx, viewer, read(NewTitle, { discussionId, title, tags, reason: reason ?? "" }));
    }),
    ...together(["locked", "lockedReason"], ({ tx, viewer }, { objectId: discussionId }, given) =>
      given["locked"] === true
        ? lockDiscussion(tx, viewer, { discussionId, ...reasonIn(given, "lockedReason") })
        : unlockDiscussion(tx, viewer, { discussionId, ...reasonIn(given) }),
    ),
    pinned: ({ tx, viewer }, { objectId: discussionId }, given) =>
      (given["pinned"] === true ? pinDiscussion : unpinDiscussion)(tx, viewer, { discussionId, ...reasonIn(given) }),
    ...together(["resolved", "answerId"], ({ tx, viewer }, { objectId: discussionId }, given) => {
      const { resolved, answerId } = given;
      const it = { discussionId, ...reasonIn(given) };
      return resolved === true
        ? resolveDiscussion(tx, viewer, { ...it, ...(typeof answerId === "string" && { postId: answerId }) })
        : reopenDiscussion(tx, viewer, it);
    }),
    state({ tx, viewer }, { objectId: discussionId, state }, given) {
      if (state === "open" && given["state"] === "archived") return archiveDiscussion(tx, viewer, { discussionId, ...reasonIn(given) });
      if (state === "archived" && given["state"] === "open") return unarchiveDiscussion(tx, viewer, { discussionId, ...reasonIn(given) });
      throw noWay(state, given["state"]);
    },
  },
  remove: "A discussion is deleted with a reason: call Discussions/delete.",
};

export const Posts: Acts = {
  create: async ({ tx, viewer }, given) => (await reply(tx, viewer, read(NewReply, written(given)))).id,
  update: {
    // The version that the edit is based on.
    ...together(["text", "version"], ({ tx, viewer }, now, given) => {
      const { objectId: postId, text, version, reason = "" } = { ...now, ...given };
      return editPost(tx, viewer, read(PostChange, { postId, body: text ?? "", version, reason }));
    }),
  },
  remove: ({ tx, viewer }, { objectId: postId }) => deletePost(tx, viewer, { postId }),
};

export const Reactions: Acts = {
  async create({ tx, viewer }, given) {
    const input = read(NewReaction, given);
    await react(tx, viewer, input);
    return `${input.postId}:${signedIn(viewer).id}:${input.emoji}`;
  },
  update: "A reaction is left or taken back.",
  remove({ tx, viewer }, { objectId }) {
    const [postId, personId, emoji] = partsOf(objectId);
    if (personId !== viewer.id) throw noWay("theirs", "gone");
    return unreact(tx, viewer, { postId, emoji });
  },
};

export const Bookmarks: Acts = {
  async create({ tx, viewer }, given) {
    const input = read(BookmarkWish, { ...given, remindAt: given["remindAt"] ?? undefined });
    await bookmark(tx, viewer, input);
    return `${input.postId}:${signedIn(viewer).id}`;
  },
  update: together(["note", "remindAt"], ({ tx, viewer }, now, given) => {
    const { note, remindAt } = { ...now, ...given };
    return bookmark(tx, viewer, read(BookmarkWish, { postId: now["postId"], note: note ?? "", remindAt: remindAt ?? undefined }));
  }),
  remove: ({ tx, viewer }, now) => dropBookmark(tx, viewer, { postId: String(now["postId"]) }),
};
