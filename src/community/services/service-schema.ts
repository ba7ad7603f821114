import { z } from "zod";
import type { CommunityService } from "./define-service.ts";

type Json = Record<string, unknown>;
const NEVER_SCHEMA: Json = { not: {} };
const isNeverSchema = (it: unknown) => JSON.stringify(it) === JSON.stringify(NEVER_SCHEMA);

/** JSON Schema (2020-12) of a service's input, before parsing. */
export const getInputSchema = ({ input }: Pick<CommunityService, "input">): Json =>
  z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => replaceUndefined(zodSchema._zod.def.type, jsonSchema as Json),
  });

/** JSON has no `undefined`: for an optional value only its other types are listed. */
function replaceUndefined(type: string, json: Json): void {
  if (type === "undefined") Object.assign(json, NEVER_SCHEMA);
  const kinds = json["anyOf"];
  if (!Array.isArray(kinds) || !kinds.some(isNeverSchema)) return;
  const [only, ...more]: Json[] = kinds.filter((kind) => !isNeverSchema(kind));
  if (more.length > 0) json["anyOf"] = [only, ...more];
  else {
    delete json["anyOf"];
    Object.assign(json, only);
  }
}
