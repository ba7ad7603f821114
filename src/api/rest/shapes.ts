import { z } from "zod";

/** Shapes that endpoints of several groups take or answer with. */
export const AnyJson = z.unknown().meta({ description: "Any JSON." });
/** Counters go beyond the integers that JavaScript represents exactly. */
export const WholeNumber = z.number().meta({ type: "integer" });
export const Names = z.array(z.string());
export const NamedJson = z.looseObject({}).meta({ description: "Values by their names." });
export const Deleted = z.object({ deleted: z.literal(true) });
