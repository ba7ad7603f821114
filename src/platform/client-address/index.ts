export { clientAddress, clientNetwork, maskAddress, parseTrustedProxies } from "./client-address.ts";
export type { TrustedProxies } from "./client-address.ts";
