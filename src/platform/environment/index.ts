export { readEnvironment } from "./environment.ts";
export type { Environment } from "./environment.ts";
export { EnvironmentError } from "./environment-error.ts";
export type { SignInProvider } from "./sign-in-providers.ts";
