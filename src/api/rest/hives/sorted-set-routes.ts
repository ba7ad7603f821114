import {
  addScored,
  addToScore,
  type ScoreRange,
  combineSets,
  countByScore,
  getRandomScored,
  listByRank,
  listByScore,
  getRank,
  removeByRank,
  removeByScore,
  removeScored,
  type ScoredValue,
  getScore,
  sortedSetLength,
  takeByScore,
} from "#baas/hive";
import { z } from "zod";
import { parseInput } from "../parse-input.ts";
import type { Route } from "../rest-route.ts";
import {
  NumberParam,
  CountParam,
  FlagParam,
  TOO_MANY_ENTRIES,
  IndexParam,
  MAX_ENTRIES,
  EntryNames,
  handleKey,
  parseValues,
  JsonValue,
  ValueBody,
  JsonValues,
  IntegerParam,
} from "./hive-params.ts";

const STORE_PATH = "/hive/:hive/sorted-set";
const SET_PATH = `${STORE_PATH}/:key`;

const AddBody = z.object({
  items: z
    .array(
      z.tuple([z.number("must be a score and a value"), JsonValue], "must be a score and a value"),
      "must be a list of scores with values",
    )
    .max(MAX_ENTRIES, TOO_MANY_ENTRIES),
  duplicateBehaviour: z.enum(["OnlyUpdate", "AlwaysAdd"], "must be OnlyUpdate or AlwaysAdd").optional(),
  scoreUpdateMode: z.enum(["Greater", "Less"], "must be Greater or Less").optional(),
  resultType: z.enum(["NewAdded", "TotalChanged"], "must be NewAdded or TotalChanged").optional(),
});
const ChangeScoreBody = z.object({ value: JsonValue, scoreValue: z.number("must be a number") });
const RankParams = z.object({ value: JsonValue, reverse: z.boolean("must be true or false").nullish() });
const RandomParams = CountParam.extend({ withScores: FlagParam.default(false) });
const RankRange = z.object({ startRank: IndexParam, stopRank: IndexParam });
const RankRangeParams = RankRange.extend({
  withScores: FlagParam.default(false),
  reverse: FlagParam.default(false),
});

const BoundKind = z
  .enum(["Include", "Exclude", "Infinity"], "must be Include, Exclude or Infinity")
  .optional();
const Scores = z.object({
  minScore: NumberParam.optional(),
  maxScore: NumberParam.optional(),
  minBound: BoundKind,
  maxBound: BoundKind,
});
const hasRequiredScores = ({ minScore, maxScore, minBound, maxBound }: z.output<typeof Scores>) =>
  (minScore !== undefined || !minBound || minBound === "Infinity") &&
  (maxScore !== undefined || !maxBound || maxBound === "Infinity");
const MISSING_SCORE = "An included or excluded bound needs a score";
const CheckedScoreRange = Scores.refine(hasRequiredScores, MISSING_SCORE);
const ScoreRangeParams = Scores.extend({
  offset: IntegerParam.optional(),
  pageSize: IntegerParam.optional(),
  withScores: FlagParam.default(false),
  reverse: FlagParam.default(false),
}).refine(hasRequiredScores, MISSING_SCORE);

/** Bounds are inclusive by default; without a score there is none. */
const toBound = (score: number | undefined, kind: z.output<typeof BoundKind>) =>
  score === undefined || kind === "Infinity" ? null : { score, included: kind !== "Exclude" };
const toBounds = ({ minScore, maxScore, minBound, maxBound }: z.output<typeof Scores>): ScoreRange => ({
  min: toBound(minScore, minBound),
  max: toBound(maxScore, maxBound),
});

const toPairs = (rows: ScoredValue[]) =>
  rows.map(({ score, value }) => [score, JSON.parse(value) as unknown]);
const formatScored = (rows: ScoredValue[], withScores: boolean) =>
  withScores ? toPairs(rows) : parseValues(rows.map(({ value }) => value));

const combineRoute = (how: Parameters<typeof combineSets>[2]): Route => ({
  method: "POST",
  path: `${STORE_PATH}/action/${how}`,
  handle: handleKey(async ({ hives, hiveKey: { hive }, call }) =>
    parseValues(
      await combineSets(hives, { hive, kind: "sorted-set" }, how, parseInput(EntryNames, call.body)),
    ),
  ),
});

const popRoute = (end: "max" | "min"): Route => ({
  method: "PUT",
  path: `${SET_PATH}/get-with-${end}-score-and-delete`,
  handle: handleKey(async ({ hives, hiveKey, call }) =>
    toPairs(await takeByScore(hives, hiveKey, end, parseInput(CountParam, call.query).count)),
  ),
});

const incrementRoute = (word: "increment" | "decrement", sign: 1 | -1): Route => ({
  method: "PUT",
  path: `${SET_PATH}/${word}`,
  handle: handleKey(async ({ hives, hiveKey, call }) => {
    const { value, scoreValue } = parseInput(ChangeScoreBody, call.body);
    return addToScore(hives, hiveKey, value, sign * scoreValue);
  }),
});

export const sortedSetRoutes: Route[] = [
  combineRoute("difference"),
  combineRoute("intersection"),
  combineRoute("union"),
  {
    method: "PUT",
    path: `${SET_PATH}/add`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { items, duplicateBehaviour, scoreUpdateMode, resultType } = parseInput(AddBody, call.body);
      return addScored(hives, hiveKey, items, {
        duplicates: duplicateBehaviour,
        scores: scoreUpdateMode,
        result: resultType,
      });
    }),
  },
  incrementRoute("increment", 1),
  incrementRoute("decrement", -1),
  popRoute("max"),
  popRoute("min"),
  {
    method: "GET",
    path: `${SET_PATH}/get-random`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { count, withScores } = parseInput(RandomParams, call.query);
      return formatScored(await getRandomScored(hives, hiveKey, count), withScores);
    }),
  },
  {
    method: "POST",
    path: `${SET_PATH}/get-score`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      getScore(hives, hiveKey, parseInput(ValueBody, call.body).value),
    ),
  },
  {
    method: "POST",
    path: `${SET_PATH}/get-rank`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { value, reverse } = parseInput(RankParams, call.body);
      return getRank(hives, hiveKey, value, reverse ?? false);
    }),
  },
  {
    method: "GET",
    path: `${SET_PATH}/get-range-by-rank`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { startRank, stopRank, withScores, reverse } = parseInput(RankRangeParams, call.query);
      return formatScored(await listByRank(hives, hiveKey, [startRank, stopRank], reverse), withScores);
    }),
  },
  {
    method: "GET",
    path: `${SET_PATH}/get-range-by-score`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { offset, pageSize, withScores, reverse, ...scores } = parseInput(ScoreRangeParams, call.query);
      return formatScored(
        await listByScore(hives, hiveKey, toBounds(scores), { offset, most: pageSize, reverse }),
        withScores,
      );
    }),
  },
  {
    method: "DELETE",
    path: `${SET_PATH}/values`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      removeScored(hives, hiveKey, parseInput(JsonValues, call.body)),
    ),
  },
  {
    method: "DELETE",
    path: `${SET_PATH}/delete-by-rank`,
    handle: handleKey(async ({ hives, hiveKey, call }) => {
      const { startRank, stopRank } = parseInput(RankRange, call.query);
      return removeByRank(hives, hiveKey, [startRank, stopRank]);
    }),
  },
  {
    method: "DELETE",
    path: `${SET_PATH}/delete-by-score`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      removeByScore(hives, hiveKey, toBounds(parseInput(CheckedScoreRange, call.query))),
    ),
  },
  {
    method: "GET",
    path: `${SET_PATH}/length`,
    handle: handleKey(({ hives, hiveKey }) => sortedSetLength(hives, hiveKey)),
  },
  {
    method: "GET",
    path: `${SET_PATH}/count`,
    handle: handleKey(async ({ hives, hiveKey, call }) =>
      countByScore(hives, hiveKey, toBounds(parseInput(CheckedScoreRange, call.query))),
    ),
  },
];
