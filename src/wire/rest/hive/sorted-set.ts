import {
  addScored,
  addToScore,
  type Bounds,
  combineSets,
  countByScore,
  randomScored,
  rangeByRank,
  rangeByScore,
  rankOf,
  removeByRank,
  removeByScore,
  removeScored,
  type Scored,
  scoreOf,
  sortedSetLength,
  takeScored,
} from "#backend/hive";
import { z } from "zod";
import { parsed } from "../parse.ts";
import type { Route } from "../route.ts";
import { Amount, Count, Flag, few, Index, MOST, Names, onStore, read, Value, Valued, Values, Whole } from "./store.ts";

const ALL = "/hive/:hive/sorted-set";
const ONE = `${ALL}/:key`;

const Added = z.object({
  items: z
    .array(z.tuple([z.number("is a score and a value"), Value], "is a score and a value"), "is a list of scores with values")
    .max(MOST, few),
  duplicateBehaviour: z.enum(["OnlyUpdate", "AlwaysAdd"], "is OnlyUpdate or AlwaysAdd").optional(),
  scoreUpdateMode: z.enum(["Greater", "Less"], "is Greater or Less").optional(),
  resultType: z.enum(["NewAdded", "TotalChanged"], "is NewAdded or TotalChanged").optional(),
});
const Changed = z.object({ value: Value, scoreValue: z.number("is a number") });
const Ranked = z.object({ value: Value, reverse: z.boolean("is true or false").nullish() });
const Drawn = Count.extend({ withScores: Flag.default(false) });
const Ranks = z.object({ startRank: Index, stopRank: Index });
const RanksRead = Ranks.extend({ withScores: Flag.default(false), reverse: Flag.default(false) });

const Bound = z.enum(["Include", "Exclude", "Infinity"], "is Include, Exclude or Infinity").optional();
const Scores = z.object({ minScore: Amount.optional(), maxScore: Amount.optional(), minBound: Bound, maxBound: Bound });
const complete = ({ minScore, maxScore, minBound, maxBound }: z.output<typeof Scores>) =>
  (minScore !== undefined || !minBound || minBound === "Infinity") && (maxScore !== undefined || !maxBound || maxBound === "Infinity");
const INCOMPLETE = "A bound that is included or excluded has a score";
const Bounded = Scores.refine(complete, INCOMPLETE);
const ScoresRead = Scores.extend({
  offset: Whole.optional(),
  pageSize: Whole.optional(),
  withScores: Flag.default(false),
  reverse: Flag.default(false),
}).refine(complete, INCOMPLETE);

/** Bounds are inclusive by default; without a score there is none. */
const bound = (score: number | undefined, kind: z.output<typeof Bound>) =>
  score === undefined || kind === "Infinity" ? null : { score, included: kind !== "Exclude" };
const bounds = ({ minScore, maxScore, minBound, maxBound }: z.output<typeof Scores>): Bounds => ({
  min: bound(minScore, minBound),
  max: bound(maxScore, maxBound),
});

const pairs = (rows: Scored[]) => rows.map(({ score, value }) => [score, JSON.parse(value) as unknown]);
const shown = (rows: Scored[], withScores: boolean) => (withScores ? pairs(rows) : read(rows.map(({ value }) => value)));

const combining = (how: Parameters<typeof combineSets>[2]): Route => ({
  method: "POST",
  path: `${ALL}/action/${how}`,
  handle: onStore(async ({ hives, spot: { hive }, call }) =>
    read(await combineSets(hives, { hive, kind: "sorted-set" }, how, parsed(Names, call.body))),
  ),
});

const taking = (end: "max" | "min"): Route => ({
  method: "PUT",
  path: `${ONE}/get-with-${end}-score-and-delete`,
  handle: onStore(async ({ hives, spot, call }) => pairs(await takeScored(hives, spot, end, parsed(Count, call.query).count))),
});

const stepping = (word: "increment" | "decrement", sign: 1 | -1): Route => ({
  method: "PUT",
  path: `${ONE}/${word}`,
  handle: onStore(async ({ hives, spot, call }) => {
    const { value, scoreValue } = parsed(Changed, call.body);
    return addToScore(hives, spot, value, sign * scoreValue);
  }),
});

export const sortedSetRoutes: Route[] = [
  combining("difference"),
  combining("intersection"),
  combining("union"),
  {
    method: "PUT",
    path: `${ONE}/add`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { items, duplicateBehaviour, scoreUpdateMode, resultType } = parsed(Added, call.body);
      return addScored(hives, spot, items, { duplicates: duplicateBehaviour, scores: scoreUpdateMode, result: resultType });
    }),
  },
  stepping("increment", 1),
  stepping("decrement", -1),
  taking("max"),
  taking("min"),
  {
    method: "GET",
    path: `${ONE}/get-random`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { count, withScores } = parsed(Drawn, call.query);
      return shown(await randomScored(hives, spot, count), withScores);
    }),
  },
  {
    method: "POST",
    path: `${ONE}/get-score`,
    handle: onStore(async ({ hives, spot, call }) => scoreOf(hives, spot, parsed(Valued, call.body).value)),
  },
  {
    method: "POST",
    path: `${ONE}/get-rank`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { value, reverse } = parsed(Ranked, call.body);
      return rankOf(hives, spot, value, reverse ?? false);
    }),
  },
  {
    method: "GET",
    path: `${ONE}/get-range-by-rank`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { startRank, stopRank, withScores, reverse } = parsed(RanksRead, call.query);
      return shown(await rangeByRank(hives, spot, [startRank, stopRank], reverse), withScores);
    }),
  },
  {
    method: "GET",
    path: `${ONE}/get-range-by-score`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { offset, pageSize, withScores, reverse, ...scores } = parsed(ScoresRead, call.query);
      return shown(await rangeByScore(hives, spot, bounds(scores), { offset, most: pageSize, reverse }), withScores);
    }),
  },
  {
    method: "DELETE",
    path: `${ONE}/values`,
    handle: onStore(async ({ hives, spot, call }) => removeScored(hives, spot, parsed(Values, call.body))),
  },
  {
    method: "DELETE",
    path: `${ONE}/delete-by-rank`,
    handle: onStore(async ({ hives, spot, call }) => {
      const { startRank, stopRank } = parsed(Ranks, call.query);
      return removeByRank(hives, spot, [startRank, stopRank]);
    }),
  },
  {
    method: "DELETE",
    path: `${ONE}/delete-by-score`,
    handle: onStore(async ({ hives, spot, call }) => removeByScore(hives, spot, bounds(parsed(Bounded, call.query)))),
  },
  { method: "GET", path: `${ONE}/length`, handle: onStore(({ hives, spot }) => sortedSetLength(hives, spot)) },
  {
    method: "GET",
    path: `${ONE}/count`,
    handle: onStore(async ({ hives, spot, call }) => countByScore(hives, spot, bounds(parsed(Bounded, call.query)))),
  },
];
