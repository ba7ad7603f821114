import { isObject } from "#platform/objects";
import type { KnownPicture } from "./picture-syntax.ts";

/**
 * Input of the renderer for one text: `docId` distinguishes its footnotes from those of other texts, `links`
 * holds the addresses of mentioned names.
 */
export type RenderEnv = { docId?: string; links?: Map<string, string>; pictures?: Map<string, KnownPicture> };

/** Returns the input that the parser passes to our rules without its type. */
export const toRenderEnv = (env: unknown): RenderEnv => (isObject(env) ? env : {});
