import { type Json, booleanType, integerType, objectOf, textList, textType } from "./schema-types.ts";
import { DATA_SHAPES } from "./data-shapes.ts";
import { SEARCH_SHAPES } from "./search-shapes.ts";

/**
 * Request and answer shapes by name. Records, users and custom data may have more properties than named here.
 */
export const SHAPES = {
  Anything: { description: "Any JSON." },
  Whole: integerType,
  Flag: booleanType,
  Text: textType,
  Texts: textList,
  Named: { type: "object", description: "Values by their names." },
  Url: objectOf({ url: textType }, "url"),
  FileUrl: objectOf({ fileURL: textType }, "fileURL"),
  FileForm: objectOf({ file: { type: "string", format: "binary" } }, "file"),
  Base64: { type: "string", contentEncoding: "base64" },
  Bytes: { description: "The bytes." },
  Renamed: objectOf({ oldPathName: textType, newName: textType }, "oldPathName", "newName"),
  Moved: objectOf({ sourcePath: textType, targetPath: textType }, "sourcePath", "targetPath"),
  Permission: objectOf({ permission: textType, user: textType, role: textType }, "permission"),
  ...DATA_SHAPES,
  ...SEARCH_SHAPES,
} satisfies Record<string, Json>;

export type Shape = keyof typeof SHAPES;

/** Content types of shapes that are not JSON. */
export const CONTENT_TYPES: Partial<Record<Shape, string>> = {
  FileForm: "multipart/form-data",
  Base64: "text/plain",
  Bytes: "*/*",
};
