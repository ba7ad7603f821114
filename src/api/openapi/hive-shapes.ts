import {
  type Json,
  booleanType,
  integerType,
  numberType,
  objectOf,
  textList,
  textType,
} from "./schema-types.ts";

/** Keys and values of hives. */
export const HIVE_SHAPES = {
  KeyPage: objectOf({ keys: textList, cursorId: textType }, "keys", "cursorId"),
  Written: objectOf(
    {
      value: {},
      ttl: numberType,
      expireAt: numberType,
      condition: { enum: ["IfExists", "IfNotExists", "Always"] },
    },
    "value",
  ),
  Valued: objectOf({ value: {}, overwrite: booleanType, count: integerType, reverse: booleanType }, "value"),
  Beside: objectOf({ valueToInsert: {}, anchorValue: {} }, "valueToInsert", "anchorValue"),
  Flags: { type: "array", items: booleanType },
  Scored: {
    type: "array",
    items: { type: "array", prefixItems: [numberType, {}], minItems: 2, maxItems: 2 },
    description: "Scores with values.",
  },
  Scores: objectOf(
    {
      items: { $ref: "#/components/schemas/Scored" },
      duplicateBehaviour: textType,
      scoreUpdateMode: textType,
      resultType: textType,
    },
    "items",
  ),
  ScoreStep: objectOf({ value: {}, scoreValue: numberType }, "value", "scoreValue"),
  ScoreIfAny: { type: ["number", "null"] },
} satisfies Record<string, Json>;
