import type { ConversationEntry, MessageView } from "#community/conversations";
import { dateFormat } from "../ui/text/intl-formats.ts";

/** Consecutive messages of one person. */
export type MessageGroup = { author: MessageView["author"]; mine: boolean; messages: MessageView[] };
/** Entries of one day: message groups and membership changes. */
export type MessageDay = { key: string; at: Date; entries: (MessageGroup | ConversationEntry)[] };
export const isMessageGroup = (it: MessageGroup | ConversationEntry): it is MessageGroup => "messages" in it;

/** Milliseconds after which another message of the same person shows their name again. */
const GROUP_GAP = 20 * 60_000;

/**
 * Groups messages and membership changes by day in the reader's time zone, and messages within a day by
 * author.
 */
export function groupMessagesByDay(
  messages: MessageView[],
  lines: ConversationEntry[],
  timeZone: string,
): MessageDay[] {
  const keyOf = dateFormat("en-CA", { timeZone });
  const days: MessageDay[] = [];
  const entriesOn = (at: Date) => {
    const key = keyOf.format(at);
    if (days.at(-1)?.key !== key) days.push({ key, at, entries: [] });
    return days.at(-1)!.entries;
  };
  const waiting = [...lines];
  const linesUpTo = (seq: number) => {
    while (waiting[0] && waiting[0].afterSeq <= seq) entriesOn(waiting[0].at).push(waiting.shift()!);
  };
  for (const message of messages) {
    linesUpTo(message.seq - 1);
    const entries = entriesOn(message.createdAt);
    const turn = entries.at(-1);
    if (turn && isMessageGroup(turn) && isSameGroup(turn, message)) turn.messages.push(message);
    else entries.push({ author: message.author, mine: message.mine, messages: [message] });
  }
  linesUpTo(Number.POSITIVE_INFINITY);
  return days;
}

const isSameGroup = (turn: MessageGroup, message: MessageView) =>
  turn.mine === message.mine &&
  turn.author?.id === message.author?.id &&
  message.createdAt.getTime() - turn.messages.at(-1)!.createdAt.getTime() < GROUP_GAP;
