export { readEnvironment, EnvironmentFault } from "./environment.ts";
export type { Environment, SignInProvider } from "./environment.ts";
