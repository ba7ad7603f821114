import { everyRequest, groupFor, type RequestLine } from "#community/groups";
import { membersOnly } from "../../auth.ts";
import { csvAnswer } from "../../csv.ts";
import { reading } from "../../visit.ts";

export const middleware = [membersOnly];

/** All join requests of the group with answers and decisions, as a CSV file for moderators. */
export const loader = reading(async ({ db, viewer, params }) => {
  const group = await groupFor(db, viewer, params["groupId"]!.toLowerCase());
  return csvAnswer(`requests-${group.slug}`, HEADER, cellsOf(everyRequest(db, viewer, group)));
});

/** A group has at most three questions. */
const QUESTIONS = [1, 2, 3];
const HEADER = [
  "Name",
  "User name",
  "Asked at",
  "Outcome",
  "Decided at",
  "Decided by",
  "Reason",
  ...QUESTIONS.flatMap((n) => [`Question ${n}`, `Answer ${n}`]),
];

async function* cellsOf(lines: AsyncIterable<RequestLine>): AsyncGenerator<string[]> {
  for await (const it of lines)
    yield [
      it.person.name,
      it.person.username,
      it.askedAt.toISOString(),
      outcomeOf(it),
      it.decidedAt?.toISOString() ?? "",
      it.decidedBy?.username ?? "",
      it.reason,
      ...QUESTIONS.flatMap((n) => [it.answers[n - 1]?.question ?? "", it.answers[n - 1]?.answer ?? ""]),
    ];
}

const OUTCOMES = { declined: "declined", withdrawn: "taken back", banned: "kept out" };

function outcomeOf({ outcome, decidedBy }: RequestLine): string {
  if (outcome === null) return "waiting";
  if (outcome === "member") return decidedBy ? "let in" : "came in";
  return OUTCOMES[outcome];
}
