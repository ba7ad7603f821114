import { iterateJoinRequests, getGroup, type RequestEntry } from "#community/groups";
import { requireMember } from "../../auth-middleware.ts";
import { csvResponse } from "../../csv.ts";
import { defineLoader } from "../../request-context.ts";

export const middleware = [requireMember];

/** All join requests of the group with answers and decisions, as a CSV file for moderators. */
export const loader = defineLoader(async ({ db, viewer, params }) => {
  const group = await getGroup(db, viewer, params["groupId"]!.toLowerCase());
  return csvResponse(`requests-${group.slug}`, CSV_HEADER, toCsvRows(iterateJoinRequests(db, viewer, group)));
});

/** A group has at most three questions. */
const QUESTION_COLUMNS = [1, 2, 3];
const CSV_HEADER = [
  "Name",
  "Username",
  "Asked at",
  "Outcome",
  "Decided at",
  "Decided by",
  "Reason",
  ...QUESTION_COLUMNS.flatMap((n) => [`Question ${n}`, `Answer ${n}`]),
];

async function* toCsvRows(lines: AsyncIterable<RequestEntry>): AsyncGenerator<string[]> {
  for await (const it of lines)
    yield [
      it.person.name,
      it.person.username,
      it.askedAt.toISOString(),
      describeOutcome(it),
      it.decidedAt?.toISOString() ?? "",
      it.decidedBy?.username ?? "",
      it.reason,
      ...QUESTION_COLUMNS.flatMap((n) => [
        it.answers[n - 1]?.question ?? "",
        it.answers[n - 1]?.answer ?? "",
      ]),
    ];
}

const OUTCOMES = { declined: "declined", withdrawn: "withdrawn", banned: "banned" };

function describeOutcome({ outcome, decidedBy }: RequestEntry): string {
  if (outcome === null) return "waiting";
  if (outcome === "member") return decidedBy ? "approved" : "came in";
  return OUTCOMES[outcome];
}
