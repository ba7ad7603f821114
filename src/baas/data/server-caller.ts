import type { Caller } from "./catalogue/types.ts";

/**
 * The rights of the server key, which find and change every record and file: for admins, and for reads whose
 * rows are checked later for each receiver.
 */
export const SERVER_CALLER: Caller = { userId: null, roles: ["ServerCodeUser"], server: true };
