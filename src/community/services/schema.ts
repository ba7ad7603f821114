import { z } from "zod";
import type { CommunityService } from "./service.ts";

type Json = Record<string, unknown>;
const NOTHING: Json = { not: {} };
const isNothing = (it: unknown) => JSON.stringify(it) === JSON.stringify(NOTHING);

/** What a service takes, as JSON Schema says it (2020-12): as it comes in, before anything is made of it. */
export const schemaOf = ({ input }: Pick<CommunityService, "input">): Json =>
  z.toJSONSchema(input, {
    io: "input",
    unrepresentable: "any",
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema._zod.def.type, jsonSchema as Json),
  });

/** JSON knows no `undefined`: of what may be left out, what else it may be is said. */
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
