import type { z } from "zod";
import { getInputSchema } from "#community/services";

/** Returns the fields of an object schema, each with a value that the schema rejects. */
export function wrongFields<V>(
  schema: z.ZodType | undefined,
  example: unknown,
  candidates: V[],
): [string, V][] {
  if (!schema) return [];
  const { properties = {} } = getInputSchema({ input: schema }) as { properties?: object };
  return Object.keys(properties).flatMap((name) => {
    const wrong = candidates.find((value) => {
      const issue = schema.safeParse({ ...(example as object), [name]: value }).error?.issues[0];
      return issue?.path[0] === name;
    });
    return wrong === undefined ? [] : [[name, wrong] as [string, V]];
  });
}
