import { listPersonSummaries } from "#community/accounts";
import { listMuted } from "#community/friends";
import type { Viewer } from "#community/rules";
import type { Db, Tx } from "#platform/database";
import { msg } from "#platform/messages";
import { type FormOutcome, type Notice, shortName } from "../notices/notice.ts";
import type { UndoRequest } from "../notices/undo-commands.ts";
import { runFriendCommand } from "./friend-commands.ts";

type FriendOutcome = FormOutcome & { intent: string };

/** Runs a command between two people; returns to the same page, with a notice if the action can be undone. */
export async function runFriendForm(
  tx: Tx,
  viewer: Viewer,
  form: FormData,
  url: URL,
): Promise<FriendOutcome> {
  const personId = String(form.get("personId"));
  const muted =
    form.get("intent") === "unmute"
      ? (await listMuted(tx, viewer)).find(({ id }) => id === personId)
      : undefined;
  const intent = await runFriendCommand(tx, viewer, form);
  url.searchParams.delete("more");
  return {
    intent,
    to: url.pathname + url.search,
    notice: await createNotice(tx, viewer, { intent, personId, until: muted?.until }),
  };
}

type Action = { intent: string; personId: string; until: Date | null | undefined };

async function createNotice(db: Db, viewer: Viewer, { intent, personId, until }: Action) {
  const undo = UNDO_COMMANDS[intent];
  const [person] = undo ? await listPersonSummaries(db, viewer, [personId]) : [];
  if (!undo || !person) return undefined;
  const name = shortName(person.name);
  const messages: Record<string, Notice["message"]> = {
    block: msg("You blocked {name}.", { name }),
    mute: msg("You muted {name}.", { name }),
    unmute: msg("You unmuted {name}.", { name }),
    remove: msg("{name} was removed from your friends.", { name }),
    dismiss: msg("{name} is no longer suggested.", { name }),
  };
  const fields = { personId, ...(intent === "unmute" && { until: String(until?.getTime() ?? "") }) };
  return { message: messages[intent]!, undo: { command: undo, fields } };
}

/** The commands that undo these actions. */
const UNDO_COMMANDS: Record<string, UndoRequest["command"]> = {
  block: "unblock-person",
  mute: "unmute-person",
  unmute: "mute-person",
  remove: "restore-friend",
  dismiss: "restore-suggestion",
};
