export { serveMcp } from "./mcp-route.ts";
