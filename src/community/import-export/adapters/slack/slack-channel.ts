import { z } from "zod";
import { escapeLabel } from "#platform/markup";
import type { FoundRecord } from "../../archive/adapter.ts";
import type { Bundle } from "../../archive/bundle-files.ts";
import { truncate, padWithDots, isValidMoment, countCharacters } from "../../archive/record-fields.ts";
import { blocksToSlackText } from "./slack-blocks.ts";
import { formatAttachment } from "./slack-attachments.ts";
import { findSlackEmoji } from "./slack-emoji.ts";
import { readListFile } from "./slack-lists.ts";
import { type SlackNames, slackToPlainText, slackToMarkdown } from "./slack-text.ts";
import { Channel, Message } from "./slack-schemas.ts";

/** Slack's own messages about joins, leaves and settings. */
const SYSTEM_MESSAGE = new RegExp(
  String.raw`^(?:(?:channel|group)_(?:join|leave|topic|purpose|name|archive|unarchive` +
    String.raw`|convert_to_private)|bot_(?:add|remove)|message_(?:changed|deleted)|pinned_item` +
    String.raw`|reminder_add|tombstone)$`,
);

type ChannelInput = {
  bundle: Bundle;
  days: string[];
  channel: Channel;
  closed: boolean;
  names: SlackNames;
  known: Set<string>;
};

/** A class, because it remembers a channel's threads from day to day, and which people were created. */
export class ChannelReader {
  #it: ChannelInput;
  #threads = new Set<string>();
  #quiet = 0;
  #unread = 0;
  #files = 0;
  /** Custom emoji in reactions whose names are too long to import, with their number of uses. */
  #strange = new Map<string, number>();

  constructor(it: ChannelInput) {
    this.#it = it;
  }

  async *records(): AsyncGenerator<FoundRecord> {
    const { bundle, days, channel, known } = this.#it;
    const at = `#${channel.name}`;
    yield* this.#group(at);
    for (const user of new Set(channel.members))
      if (known.has(user)) yield { at, record: { type: "membership", group: channel.id, user } };
    for (const day of days) {
      const { rows, notes } = await readListFile(bundle, day, z.unknown());
      yield* notes;
      yield* this.#day(day, rows);
    }
    if (this.#quiet > 0) yield { at, note: `Skipped ${this.#quiet} system messages.` };
    for (const [emoji, times] of this.#strange)
      yield { at, note: `Skipped ${times} reactions with ${emoji}, which is not available here.` };
    if (this.#unread > 0) yield { at, note: `${this.#unread} messages cannot be read.` };
    if (this.#files > 0)
      yield {
        at,
        note: `${this.#files} files are links only: Slack hosts them, and the links may expire.`,
      };
  }

  *#group(at: string): Generator<FoundRecord> {
    const { channel, closed, known, names } = this.#it;
    const createdAt = formatTime(String(channel.created));
    yield {
      at,
      record: {
        type: "group",
        id: channel.id,
        name: padWithDots(channel.name, 2),
        slug: channel.name,
        purpose: slackToPlainText(channel.purpose?.value ?? "", names),
        createdAt,
        visibility: "private",
        joinPolicy: closed ? "invite" : "request",
        ...(channel.is_archived && { archivedAt: createdAt }),
        ...(channel.creator && known.has(channel.creator) && { owner: channel.creator }),
      },
    };
  }

  *#day(name: string, all: unknown[]): Generator<FoundRecord> {
    const date = /(\d{4}-\d\d-\d\d)\.json$/.exec(name)?.[1] ?? name;
    let begun = false;
    const messages = all.map((one) => Message.safeParse(one));
    for (const [i, read] of messages.entries()) {
      const at = `${name} message ${i + 1}`;
      if (!read.success) this.#unread += 1;
      else if (isDeletedThreadHead(read.data)) {
        const answers = messages.flatMap(({ data }) =>
          data?.thread_ts === read.data.ts && data.ts !== read.data.ts ? [data] : [],
        );
        yield* this.#gone(read.data, answers, at);
      } else if (SYSTEM_MESSAGE.test(read.data.subtype ?? "")) this.#quiet += 1;
      else {
        const it = read.data;
        const post = { it, at, author: messageAuthor(it), body: this.#bodyOf(it) };
        yield* this.#author(post.author, it, at);
        const thread = this.#threadOf(it);
        if (thread && !this.#threads.has(thread)) yield this.#begin(post, thread, titleFromBody(post.body));
        if (!thread && !begun) yield this.#begin(post, date, `${this.#it.channel.name}, ${date}`);
        if (thread) this.#threads.add(thread);
        else begun = true;
        yield* this.#say(post, thread ?? date, thread);
      }
    }
  }

  /**
   * If a thread's first message was deleted, a placeholder replaces it, so that the replies stay together.
   * The author of the deleted message is known from `parent_user_id` of the replies.
   */
  *#gone(message: Message, answers: Message[], at: string): Generator<FoundRecord> {
    if (this.#threads.has(message.ts)) return;
    this.#threads.add(message.ts);
    const author = answers.flatMap(({ parent_user_id }) => parent_user_id ?? [])[0] ?? messageAuthor(message);
    yield* this.#author(author, message, at);
    const first = answers
      .map((one) => titleFromBody(slackToMarkdown(one.text ?? "", this.#it.names)))
      .find(Boolean);
    yield this.#begin(
      { it: message, at, author },
      message.ts,
      first ? `Re: ${first}` : `${this.#it.channel.name}, a thread`,
    );
    const { id } = this.#it.channel;
    const place = {
      type: "post",
      id: `${id}/${message.ts}`,
      discussion: `${id}/${message.ts}`,
      author,
      createdAt: formatTime(message.ts),
    };
    yield { at, record: { ...place, body: "", state: "deleted_by_author" } };
  }

  /**
   * The thread of a message, or null. A reply whose thread is missing belongs to the discussion of its day.
   */
  #threadOf(message: Message): string | null {
    if (!message.thread_ts) return null;
    if (message.thread_ts === message.ts) return message.ts;
    return this.#threads.has(message.thread_ts) ? message.thread_ts : null;
  }

  *#author(id: string, message: Message, at: string): Generator<FoundRecord> {
    if (this.#it.known.has(id)) return;
    this.#it.known.add(id);
    const { display_name, real_name, name: login } = message.user_profile ?? {};
    const name =
      message.username ||
      display_name ||
      real_name ||
      login ||
      (id.startsWith("bot:") ? "Bot" : "Former member");
    yield { at, record: { type: "user", id, username: name, name } };
  }

  #begin(
    { it, at, author }: { it: Message; at: string; author: string },
    key: string,
    title: string,
  ): FoundRecord {
    const { id } = this.#it.channel;
    // An earlier import may have put this message into the discussion of its day, before it had replies. The
    // thread then continues there.
    const begun = key === it.ts && { begunBy: `${id}/${key}` };
    return {
      at,
      record: {
        type: "discussion",
        id: `${id}/${key}`,
        group: id,
        author,
        title,
        createdAt: formatTime(it.ts),
        ...begun,
      },
    };
  }

  *#say(
    { it, at, author, body }: { it: Message; at: string; author: string; body: string },
    key: string,
    thread: string | null,
  ): Generator<FoundRecord> {
    const { id } = this.#it.channel;
    const post = `${id}/${it.ts}`;
    const replyTo = thread && thread !== it.ts ? { replyTo: `${id}/${thread}` } : {};
    const edited = it.edited &&
      isValidMoment(new Date(formatTime(it.edited.ts))) && { editedAt: formatTime(it.edited.ts) };
    yield {
      at,
      record: {
        type: "post",
        id: post,
        discussion: `${id}/${key}`,
        author,
        body,
        createdAt: formatTime(it.ts),
        ...edited,
        ...replyTo,
      },
    };
    for (const { name, users } of it.reactions ?? []) {
      const emoji = findSlackEmoji(name);
      const fits = countCharacters(emoji) <= LONGEST_REACTION;
      if (!fits) this.#strange.set(emoji, (this.#strange.get(emoji) ?? 0) + users.length);
      for (const user of fits ? users : [])
        if (this.#it.known.has(user))
          yield { at, record: { type: "reaction", post, user, emoji, createdAt: formatTime(it.ts) } };
    }
  }

  #bodyOf(message: Message): string {
    const { names } = this.#it;
    const attached = (message.attachments ?? []).map((one) => formatAttachment(one, names));
    const files = (message.files ?? []).map(({ name, title, url_private, permalink }) => {
      this.#files += 1;
      const to = permalink ?? url_private;
      const words = escapeLabel(title || name || "file");
      return to && URL.canParse(to) ? `[${words}](<${new URL(to).href}>)` : words;
    });
    const parts = [
      slackToMarkdown(message.comment?.comment || message.text || blocksToSlackText(message.blocks), names),
      ...attached,
      ...files,
    ].filter((part) => part.trim() !== "" && part.trim() !== ">");
    return parts.join("\n\n") || "…";
  }
}

const LONGEST_REACTION = 16;

/** The tombstone of a thread's deleted first message. */
const isDeletedThreadHead = ({ subtype, ts, thread_ts }: Message) =>
  subtype === "tombstone" && thread_ts === ts;
const messageAuthor = (it: Message) =>
  it.user || it.comment?.user || `bot:${it.bot_id || it.username || "unknown"}`;
const formatTime = (ts: string) => new Date(Number(ts) * 1000).toISOString();

/** The first line, cut to title length. */
function titleFromBody(body: string): string {
  const line = body
    .replace(
      /\\([!-/:-@[-`{-~])|[*_~`>#]|\]\(<[^>]*>\)|\[/g,
      (_, escaped: string | undefined) => escaped ?? "",
    )
    .trim()
    .split("\n")[0]!
    .trim();
  return countCharacters(line) <= 100 ? line : `${truncate(line, 100).replace(/\s+\S*$/, "")}…`;
}
