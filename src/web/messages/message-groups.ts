import type { MessageView } from "#community/conversations";
import { dateFormat } from "../ui/formats.ts";

/** What one person said in one go. */
export type Turn = { author: MessageView["author"]; mine: boolean; messages: MessageView[] };
export type Day = { key: string; at: Date; turns: Turn[] };

/** A pause after which the same person is named again. */
const PAUSE = 20 * 60_000;

/** Messages by day, as days are where the reader is, and within a day by who speaks. */
export function byDay(messages: MessageView[], timeZone: string): Day[] {
  const keyOf = dateFormat("en-CA", { timeZone });
  const days: Day[] = [];
  for (const message of messages) {
    const key = keyOf.format(message.createdAt);
    if (days.at(-1)?.key !== key) days.push({ key, at: message.createdAt, turns: [] });
    const { turns } = days.at(-1)!;
    const turn = turns.at(-1);
    if (turn && continues(turn, message)) turn.messages.push(message);
    else turns.push({ author: message.author, mine: message.mine, messages: [message] });
  }
  return days;
}

const continues = (turn: Turn, message: MessageView) =>
  turn.mine === message.mine &&
  turn.author?.id === message.author?.id &&
  message.createdAt.getTime() - turn.messages.at(-1)!.createdAt.getTime() < PAUSE;
