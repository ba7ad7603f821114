import { z } from "zod";
import {
  askForHeir,
  askToJoin,
  bringBack,
  groupToChange,
  InvitationAnswer,
  joinGroup,
  leaveGroup,
  pinGroup,
  refuseInvitation,
  setGroupNotices,
  unpinGroup,
  withdrawRequest,
} from "#community/groups";
import type { Viewer } from "#community/rules";
import type { Tx } from "#platform/database";
import { Refusal } from "#platform/refusal";
import { parseForm } from "../forms.ts";
import { ownPath, urls } from "../urls.ts";
import { answeredBy } from "./answering.ts";

const Asked = z.object({
  intent: z.enum(["join", "ask", "withdraw", "refuse", "leave", "notices", "pin", "unpin", "bring-back", "ask-heir"]),
  groupId: z.string(),
  /** Where to go afterwards, if not back to the page. */
  back: z.string().optional(),
});
const Leaving = z.object({
  heirId: z
    .string()
    .optional()
    .transform((id) => id || undefined),
  /** A checkbox: unchecked, the field is missing. */
  writings: z.enum(["keep", "remove"]).optional(),
});
const Notices = z.object({ level: z.enum(["all", "highlights", "mentions", "mute"]) });

/** Commands around membership, for every page that offers them. Returns the address to go to. */
export async function doInGroup(tx: Tx, viewer: Viewer, form: FormData, url: URL): Promise<string> {
  const { intent, groupId, back } = parseForm(Asked, form);
  const it = { groupId };
  switch (intent) {
    case "join":
      await joinGroup(tx, viewer, it);
      break;
    case "ask":
      await askToJoin(tx, viewer, { ...it, ...answersIn(form) });
      break;
    case "withdraw":
      await withdrawRequest(tx, viewer, it);
      // A group that has become secret has no page to go back to.
      return (await mayKnowOf(tx, viewer, groupId)) ? whereTo(back, url) : urls.groups();
    case "refuse":
      await refuseInvitation(tx, viewer, it);
      break;
    case "leave":
      await leaveGroup(tx, viewer, { ...it, ...parseForm(Leaving, form) });
      break;
    case "notices":
      await setGroupNotices(tx, viewer, { ...it, ...parseForm(Notices, form) });
      break;
    case "pin":
      await pinGroup(tx, viewer, it);
      break;
    case "unpin":
      await unpinGroup(tx, viewer, it);
      break;
    case "ask-heir":
      await askForHeir(tx, viewer, it);
      break;
    case "bring-back":
      return urls.group((await bringBack(tx, viewer, it)).slug);
  }
  return whereTo(back, url);
}

const whereTo = (back: string | undefined, url: URL) => (back ? ownPath(back) : url.pathname + url.search);

async function mayKnowOf(tx: Tx, viewer: Viewer, groupId: string): Promise<boolean> {
  try {
    await groupToChange(tx, viewer, groupId, "read");
    return true;
  } catch (error) {
    if (error instanceof Refusal && error.reason === "not-found") return false;
    throw error;
  }
}

/** The questions of a form with their answers. */
export function answersIn(form: FormData) {
  const lists = new FormData();
  for (const [name, question] of form) {
    const answered = answeredBy(name);
    if (answered === null) continue;
    lists.append("questions[]", question);
    lists.append("answers[]", form.get(answered) ?? "");
  }
  const { answers, questions = [] } = parseForm(InvitationAnswer, lists);
  return { answers, questions };
}
