import {
  addScored,
  addToScore,
  type ScoreRange,
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
  getSortedSetLength,
  takeByScore,
} from "#baas/hive";
import { z } from "zod";
import { defineEndpoint } from "../endpoint.ts";
import { WholeNumber } from "../shapes.ts";
import {
  NumberParam,
  CountParam,
  FlagParam,
  TOO_MANY_ENTRIES,
  IndexParam,
  MAX_ENTRIES,
  parseValues,
  JsonValue,
  ValueBody,
  JsonValues,
  IntegerParam,
  ScoredValues,
  ValueList,
} from "./hive-params.ts";
import { createSetOperationEndpoints } from "./set-routes.ts";

const SET_PATH = "/hive/:hive/sorted-set/:key";
const params = { hive: "garden", key: "harvest" };

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

/** Converts a bound, which is inclusive by default. Without a score the range is unbounded. */
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

/** Values, with their scores if `withScores`. */
const MaybeScored = z.union([ScoredValues, ValueList]);

const takeEndpoint = (end: "max" | "min") =>
  defineEndpoint({
    method: "PUT",
    path: `${SET_PATH}/get-with-${end}-score-and-delete`,
    summary: `Removes and returns the \`count\` values with the ${end === "max" ? "highest" : "lowest"} scores.`,
    query: CountParam,
    response: ScoredValues,
    example: { params, query: { count: "1" } },
    handle: async ({ app, params: { hive, key }, query }) =>
      toPairs(await takeByScore(app.hives, { hive, key }, end, query.count)),
  });

const addScoreEndpoint = (change: "increment" | "decrement") =>
  defineEndpoint({
    method: "PUT",
    path: `${SET_PATH}/${change}`,
    summary:
      change === "increment"
        ? "Adds `scoreValue` to the score of `value` and returns the new score."
        : "Subtracts `scoreValue` from the score of `value` and returns the new score.",
    body: ChangeScoreBody,
    response: z.number(),
    example: { params, body: { value: "beans", scoreValue: 2.5 } },
    handle: ({ app, params: { hive, key }, body: { value, scoreValue } }) =>
      addToScore(app.hives, { hive, key }, value, change === "increment" ? scoreValue : -scoreValue),
  });

export const sortedSetEndpoints = [
  ...createSetOperationEndpoints("sorted-set", "harvest"),
  defineEndpoint({
    method: "PUT",
    path: `${SET_PATH}/add`,
    summary:
      "Adds `items`, scores with values; returns how many are new, or with `TotalChanged` new or changed.",
    body: AddBody,
    response: WholeNumber,
    example: { params, body: { items: [[7, "kale"]], duplicateBehaviour: "AlwaysAdd" } },
    handle: ({ app, params: { hive, key }, body }) =>
      addScored(app.hives, { hive, key }, body.items, {
        duplicates: body.duplicateBehaviour,
        scores: body.scoreUpdateMode,
        result: body.resultType,
      }),
  }),
  addScoreEndpoint("increment"),
  addScoreEndpoint("decrement"),
  takeEndpoint("max"),
  takeEndpoint("min"),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/get-random`,
    summary: "Returns `count` random values.",
    query: RandomParams,
    response: MaybeScored,
    example: { params, query: { count: "1", withScores: "true" } },
    handle: async ({ app, params: { hive, key }, query: { count, withScores } }) =>
      formatScored(await getRandomScored(app.hives, { hive, key }, count), withScores),
  }),
  defineEndpoint({
    method: "POST",
    path: `${SET_PATH}/get-score`,
    summary: "Returns the score of `value`, or null.",
    body: ValueBody,
    response: z.number().nullable(),
    example: { params, body: { value: "beans" } },
    handle: ({ app, params: { hive, key }, body }) => getScore(app.hives, { hive, key }, body.value),
  }),
  defineEndpoint({
    method: "POST",
    path: `${SET_PATH}/get-rank`,
    summary: "Returns how many values are before `value`, or after it with `reverse`; null if it is missing.",
    body: RankParams,
    response: WholeNumber.nullable(),
    example: { params, body: { value: "beans", reverse: true } },
    handle: ({ app, params: { hive, key }, body: { value, reverse } }) =>
      getRank(app.hives, { hive, key }, value, reverse ?? false),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/get-range-by-rank`,
    summary: "Returns the values from `startRank` to `stopRank`.",
    query: RankRangeParams,
    response: MaybeScored,
    example: { params, query: { startRank: "0", stopRank: "-1", withScores: "true" } },
    handle: async ({ app, params: { hive, key }, query: { startRank, stopRank, withScores, reverse } }) =>
      formatScored(await listByRank(app.hives, { hive, key }, [startRank, stopRank], reverse), withScores),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/get-range-by-score`,
    summary: "Returns the values within bounds.",
    query: ScoreRangeParams,
    response: MaybeScored,
    example: { params, query: { minScore: "3", maxScore: "12.5", maxBound: "Exclude" } },
    async handle({
      app,
      params: { hive, key },
      query: { offset, pageSize: most, withScores, reverse, ...scores },
    }) {
      const found = await listByScore(app.hives, { hive, key }, toBounds(scores), { offset, most, reverse });
      return formatScored(found, withScores);
    },
  }),
  defineEndpoint({
    method: "DELETE",
    path: `${SET_PATH}/values`,
    summary: "Removes values and returns how many.",
    body: JsonValues,
    response: WholeNumber,
    example: { params, body: ["beans"] },
    handle: ({ app, params: { hive, key }, body }) => removeScored(app.hives, { hive, key }, body),
  }),
  defineEndpoint({
    method: "DELETE",
    path: `${SET_PATH}/delete-by-rank`,
    summary: "Removes the values from `startRank` to `stopRank` and returns how many.",
    query: RankRange,
    response: WholeNumber,
    example: { params, query: { startRank: "0", stopRank: "0" } },
    handle: ({ app, params: { hive, key }, query: { startRank, stopRank } }) =>
      removeByRank(app.hives, { hive, key }, [startRank, stopRank]),
  }),
  defineEndpoint({
    method: "DELETE",
    path: `${SET_PATH}/delete-by-score`,
    summary: "Removes the values within bounds and returns how many.",
    query: CheckedScoreRange,
    response: WholeNumber,
    example: { params, query: { maxScore: "5" } },
    handle: ({ app, params: { hive, key }, query }) =>
      removeByScore(app.hives, { hive, key }, toBounds(query)),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/length`,
    summary: "Returns the number of values.",
    response: WholeNumber,
    example: { params },
    handle: ({ app, params: { hive, key } }) => getSortedSetLength(app.hives, { hive, key }),
  }),
  defineEndpoint({
    method: "GET",
    path: `${SET_PATH}/count`,
    summary: "Returns the number of values within bounds.",
    query: CheckedScoreRange,
    response: WholeNumber,
    example: { params, query: { minScore: "3" } },
    handle: ({ app, params: { hive, key }, query }) =>
      countByScore(app.hives, { hive, key }, toBounds(query)),
  }),
];
