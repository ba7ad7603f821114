import type Backendless from "backendless";
import { afterAll, beforeAll, beforeEach } from "vitest";
import type { SignedIn } from "#community/rules";
import { testDatabase } from "../../../../test/setup/database.ts";
import { openDoor, PASSWORD, type RestDoor, SERVER } from "../rest.fixture.ts";

export const database = await testDatabase();
export let door: RestDoor;
export let app: typeof Backendless;
export let server: typeof Backendless;
beforeAll(async () => void (door = await openDoor(database)));
beforeEach(async () => {
  door.forget();
  await door.set({ confirmAddress: false, registrationTries: 0, accountsPerAddress: 0, apiCalls: 0 });
  [app, server] = [door.sdk(), door.sdk(SERVER)];
});
afterAll(() => door.close());

export type User = Record<string, unknown>;
export const login = (sdk: typeof Backendless, who: string, password = PASSWORD) => sdk.UserService.login<User>(who, password);
export const register = (user: User) => app.UserService.register<User>(user);
export const refused = (call: Promise<unknown>) =>
  call.then(
    (answer) => ({ answered: answer }),
    ({ code, status, message }: { code: number; status: number; message: string }) => ({ code, status, message }),
  );
export const ADMIN: SignedIn = { id: "01900000-0000-7000-8000-00000000ad01", role: "admin", trust: "established", limited: false };
