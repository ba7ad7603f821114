export { readEnvironment } from "./environment.ts";
export type { Environment } from "./environment.ts";
export { EnvironmentFault } from "./fault.ts";
export type { SignInProvider } from "./providers.ts";
