import { randomBytes } from "node:crypto";
import { type AccountHooks, createProviders, createSealer, type SignInProvider } from "#community/accounts";
import { openSettings, type Settings } from "#community/settings";
import { Limits } from "#platform/limits";
import type { TestDatabase } from "../setup/test-database.ts";

export type TestAccountsOptions = AccountHooks & {
  settings?: Settings;
  limits?: Limits;
  origin?: () => string;
  seal?: Buffer;
  providers?: SignInProvider[];
};

/** Creates the context of account functions on a test database. */
export const createTestAccounts = (
  database: TestDatabase,
  {
    settings = openSettings(database),
    limits = new Limits(),
    origin = () => "https://kith.test",
    seal = randomBytes(32),
    providers = [],
    ...accountHooks
  }: TestAccountsOptions = {},
) => ({
  database,
  settings,
  limits,
  now: () => database.clock.at,
  origin,
  sealer: createSealer(seal),
  signInProviders: createProviders(providers),
  accountHooks,
});
