import { z } from "zod";
import type { CommunityService } from "./service.ts";

type Json = Record<string, unknown>;
const NOTHING: Json = { not: {} };
const isNothing = (it: unknown) => JSON.stringify(it) === JSON.stringify(NOTHING);

/** JSON Schema (2020-12) of a service's input, before parsing. */
export const schemaOf = ({ input }: Pick<CommunityService, "input">): Json =>
  z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema._zod.def.type, jsonSchema as Json),
  });

/** JSON has no `undefined`: for an optional value only its other types are listed. */
function tidy(type: string, it: Json): void {
  if (type === "undefined") Object.assign(it, NOTHING);
  const kinds = it["anyOf"];
  if (!Array.isArray(kinds) || !kinds.some(isNothing)) return;
  const [only, ...more] = kinds.filter((kind) => !isNothing(kind)) as Json[];
  if (more.length > 0) it["anyOf"] = [only, ...more];
  else {
    delete it["anyOf"];
    Object.assign(it, only);
  }
}
