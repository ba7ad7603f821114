import { type Json, integerType, listOf, objectOf, textType } from "./schema-types.ts";

const recordProperties = {
  objectId: textType,
  ownerId: { type: ["string", "null"] },
  ___class: textType,
  created: integerType,
  updated: { type: ["integer", "null"] },
};
/** Records of tables. */
export const DATA_SHAPES = {
  Record: objectOf(recordProperties),
  Records: listOf("Record"),
} satisfies Record<string, Json>;
