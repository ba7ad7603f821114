import { afterAll, beforeAll, beforeEach } from "vitest";
import { APP, CLIENT, startTestApi, type TestRestApi } from "./rest-server.ts";
import { type TestStore, describeEachStore } from "./both-stores.ts";

export type HiveStore = TestStore & {
  /** Opens a hive through the published client. */
  hive: (name?: string) => ReturnType<ReturnType<TestRestApi["sdk"]>["Hive"]>;
  names: () => Promise<string[]>;
  call: TestRestApi["call"];
  /** Returns a path in the hive `garden`. */
  at: (rest: string) => string;
};

/** Runs the tests with every storage backend through the REST API. The hive `garden` exists and is empty. */
export const describeEachHive = (tests: (place: HiveStore) => void): Promise<void> =>
  describeEachStore((store) => {
    let testApi: TestRestApi;
    let sdk: ReturnType<TestRestApi["sdk"]>;
    beforeAll(async () => {
      testApi = await startTestApi(store.database, store.open());
      sdk = testApi.sdk();
    });
    beforeEach(async () => {
      testApi.forget();
      await testApi.set({ apiCalls: 0 });
      await sdk.Hive("garden").create();
    });
    afterAll(() => testApi.close());
    tests({
      ...store,
      hive: (name = "garden") => sdk.Hive(name),
      names: async () => sdk.Hive.getNames(),
      call: (...asked) => testApi.call(...asked),
      at: (rest) => `/${APP}/${CLIENT}/hive/garden${rest}`,
    });
  });
