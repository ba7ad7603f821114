export { cursorOf, pageOf, readCursor } from "./paging.ts";
export type { Page } from "./paging.ts";
export { personCard } from "./cards.ts";
export type { PersonCard } from "./cards.ts";
export { given } from "./conditions.ts";
export { prefixQuery } from "./words.ts";
export { clientId, id, neededText, optionalText, tags } from "./texts.ts";
export { addressOf } from "./addresses.ts";
