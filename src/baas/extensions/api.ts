/** The API for extensions: `import { service, z } from "#extensions"`. */
export { z } from "zod";
export { after, before, every, on, Refused, service } from "./extension-parts.ts";
export type { After, Before } from "./extension-parts.ts";
export type { Kith, Mail, Query, Row } from "./host-api.ts";
export type { Caller } from "./thread-protocol.ts";
