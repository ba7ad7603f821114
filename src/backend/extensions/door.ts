/** The API for extensions: `import { service, z } from "#extensions"`. */
export { z } from "zod";
export { after, before, every, on, Refused, service } from "./parts.ts";
export type { After, Before } from "./parts.ts";
export type { Kith, Mail, Query, Row } from "./context.ts";
export type { Caller } from "./protocol.ts";
