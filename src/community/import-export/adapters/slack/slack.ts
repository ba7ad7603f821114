import { z } from "zod";
import { msg } from "#platform/messages";
import { Refusal } from "#platform/refusal";
import type { Adapter } from "../../archive/adapter.ts";
import { groupDayFiles, channelFolder, reportSkipped, readListFile, findExportRoot } from "./slack-lists.ts";
import { User, Channel } from "./slack-schemas.ts";
import { ChannelReader } from "./slack-channel.ts";

// A Slack export: users.json, channels.json (and groups.json), and a folder per channel with a file per day.
// A channel becomes a group, a thread a discussion; messages outside threads form one discussion per day.

export const slackAdapter: Adapter = async function* (bundle) {
  const root = findExportRoot(bundle);
  const open = await readListFile(bundle, `${root}channels.json`, Channel);
  const users = await readListFile(bundle, `${root}users.json`, User);
  const shut = await readListFile(bundle, `${root}groups.json`, Channel);
  if (open.rows.length === 0 && open.notes[0])
    throw new Refusal("invalid", msg("channels.json cannot be read: {note}", { note: open.notes[0].note }));
  yield* [...open.notes, ...users.notes, ...shut.notes];
  const people = new Map(users.rows.map((it) => [it.id, it]));
  const channels = [...open.rows, ...shut.rows];
  const names = {
    user: (id: string) => displayName(people.get(id)),
    channel: (id: string) => channels.find((it) => it.id === id)?.name,
  };
  const days = groupDayFiles(bundle, root);
  const listed = new Set(channels.flatMap((it) => [channelFolder(it), it.id]));
  yield* reportSkipped(
    bundle,
    root,
    [...days.keys()].filter((name) => !listed.has(name)),
  );
  const known = new Set<string>();
  for (const it of people.values()) {
    known.add(it.id);
    const name = displayName(it) ?? it.id;
    yield {
      at: "users.json",
      record: {
        type: "user",
        id: it.id,
        username: it.name ?? name,
        name,
        email: it.profile.email,
        bio: it.profile.title ?? "",
        timeZone: it.tz ?? "UTC",
      },
    };
  }
  for (const channel of channels)
    yield* new ChannelReader({
      bundle,
      // In exports of larger workspaces the folders are named by channel ids.
      days: days.get(channelFolder(channel)) ?? days.get(channel.id) ?? [],
      channel,
      closed: shut.rows.includes(channel),
      names,
      known,
    }).records();
};

const displayName = (it: z.output<typeof User> | undefined) =>
  it && (it.profile.display_name || it.profile.real_name || it.real_name || it.name || undefined);
