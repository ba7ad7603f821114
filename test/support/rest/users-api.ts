import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../setup/test-database.ts";
import { startTestApi, PASSWORD, type TestRestApi, SERVER } from "./rest-server.ts";

export const database = await testDatabase();
export let testApi: TestRestApi;
export let app: typeof Backendless;
export let server: typeof Backendless;
beforeAll(async () => void (testApi = await startTestApi(database)));
beforeEach(async () => {
  testApi.forget();
  await testApi.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0 });
  [app, server] = [testApi.sdk(), testApi.sdk(SERVER)];
});
afterAll(() => testApi.close());

export type User = Record<string, unknown>;
export const signInUser = (sdk: typeof Backendless, who: string, password = PASSWORD) =>
  sdk.UserService.login<User>(who, password);
export const registerUser = (user: User) => app.UserService.register<User>(user);
export const getUserCallOutcome = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ answered: answer }),
    ({ code, status, message }: { code: number; status: number; message: string }) => ({
      code,
      status,
      message,
    }),
  );
export const ADMIN: SignedIn = {
  id: "01900000-0000-7000-8000-00000000ad01",
  role: "admin",
  trust: "established",
  limited: false,
};
