import { z } from "zod";

/** Schemas that several groups of endpoints use for input or answers. */
export const AnyJson = z.unknown().meta({ description: "Any JSON." });
/**
 * An integer, documented only: `z.int()` would refuse counters beyond the integers that JavaScript
 * represents exactly.
 */
export const WholeNumber = z.number().meta({ type: "integer" });
export const NameList = z.array(z.string());
export const NamedJson = z.looseObject({}).meta({ description: "Values by their names." });
export const DeletionResult = z.object({ deleted: z.literal(true) });
