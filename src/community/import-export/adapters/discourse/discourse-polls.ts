import { z } from "zod";
import { createExcerpt } from "#platform/markup";
import { LIMITS } from "#community/rules";
import { getOwnProperty } from "#platform/objects";
import { countCharacters } from "../../archive/record-fields.ts";

// Converts polls in a Discourse post. If the archive lacks the voters of some votes, the options become a
// list with counts instead of a poll.

const text = z.string().nullish().catch(null);
const Poll = z.object({
  name: z.string(),
  title: text,
  type: text,
  status: text,
  results: text,
  max: z.int().nullish().catch(null),
  close: text,
  options: z.array(
    z.object({ id: z.string(), html: z.string(), votes: z.int().min(0).nullish().catch(null) }),
  ),
  preloaded_voters: z
    .record(z.string(), z.array(z.object({ username: z.string().min(1) })))
    .nullish()
    .catch(null),
});
type Poll = z.output<typeof Poll>;
export const Polls = z
  .array(z.unknown())
  .catch([])
  .default([])
  .transform((all) => all.flatMap((one) => Poll.safeParse(one).data ?? []));

const POLL_RESULTS: Record<string, string> = { always: "always", on_vote: "voted", on_close: "ended" };
const POLL_TYPES = ["regular", "multiple", "number"];

type PollContent = {
  poll?: { options: string[]; most: number; results: string; closesAt?: string | undefined };
  votes: { username: string; option: number }[];
  /** Replacement text for each poll, by its name. */
  inText: Map<string, string>;
};

/** Converts the polls of one post. `closedAt` is used for closed polls that have no closing date. */
export function convertPolls(polls: Poll[], closedAt: string | undefined): PollContent {
  const whole = polls.find((it) => isComplete(it));
  const inText = new Map(
    polls.map((it) => [
      it.name,
      [formatPollTitle(it), it === whole ? "" : formatPollList(it)].filter(Boolean).join("\n\n"),
    ]),
  );
  if (!whole) return { votes: [], inText };
  const closesAt = whole.close ?? (whole.status === "closed" ? closedAt : undefined);
  const options = whole.options.map(({ html }) => plainTextOf(html));
  const most =
    whole.type === "multiple" ? Math.max(1, Math.min(whole.max ?? options.length, options.length)) : 1;
  const votes = whole.options.flatMap(({ id }, i) =>
    listVoters(whole, id).map((username) => ({ username, option: i + 1 })),
  );
  return {
    poll: { options, most, results: getOwnProperty(POLL_RESULTS, whole.results ?? "always")!, closesAt },
    votes,
    inText,
  };
}

const plainTextOf = (html: string) => createExcerpt(html, 2 * LIMITS.poll.option).trim();
const listVoters = ({ preloaded_voters: voters }: Poll, option: string) =>
  (voters?.[option] ?? []).map(({ username }) => username.toLowerCase());

function isComplete(poll: Poll): boolean {
  const { min, max } = LIMITS.poll.options;
  const fits =
    poll.options.length >= min && poll.options.length <= max && POLL_TYPES.includes(poll.type ?? "regular");
  const words = poll.options.map(({ html }) => plainTextOf(html));
  const hasAllVoters = poll.options.every(({ id, votes }) => listVoters(poll, id).length === (votes ?? -1));
  return (
    fits &&
    hasAllVoters &&
    (poll.results ?? "always") in POLL_RESULTS &&
    words.every((one) => one !== "" && countCharacters(one) <= LIMITS.poll.option)
  );
}

const escapeMarkdown = (words: string) => words.replace(/[\\*_[\]`<]/g, "\\$&");
const formatPollTitle = ({ title }: Poll) =>
  title?.trim() ? `**${escapeMarkdown(plainTextOf(title))}**` : "";

const formatPollList = ({ options }: Poll) =>
  options
    .map(
      ({ html, votes }) =>
        `- ${escapeMarkdown(plainTextOf(html))}${votes === null || votes === undefined ? "" : ` (${votes})`}`,
    )
    .join("\n");
