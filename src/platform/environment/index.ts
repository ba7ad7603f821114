export { readEnvironment } from "./environment.ts";
export type { Environment } from "./environment.ts";
export { EnvironmentError } from "./fault.ts";
export type { SignInProvider } from "./providers.ts";
