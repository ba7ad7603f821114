/** JSON Schema. */
export type Json = Record<string, unknown>;

export const textType: Json = { type: "string" };
export const integerType: Json = { type: "integer" };
export const textList: Json = { type: "array", items: textType };
export const objectOf = (properties: Json, ...required: string[]): Json => ({
  type: "object",
  properties,
  ...(required.length > 0 && { required }),
});
export const listOf = (name: string): Json => ({
  type: "array",
  items: { $ref: `#/components/schemas/${name}` },
});
