import { afterAll, beforeAll, beforeEach } from "vitest";
import { APP, CLIENT, openDoor, type RestDoor } from "../rest.fixture.ts";
import { type AStore, inEachStore } from "../stores.fixture.ts";

export type InHives = AStore & {
  /** A hive, through the published client. */
  hive: (name?: string) => ReturnType<ReturnType<RestDoor["sdk"]>["Hive"]>;
  names: () => Promise<string[]>;
  call: RestDoor["call"];
  /** A path in the hive `garden`. */
  at: (rest: string) => string;
};

/** Runs the tests with every storage backend, through the REST API, with one empty hive `garden`. */
export const inEachHive = (tests: (place: InHives) => void): Promise<void> =>
  inEachStore((store) => {
    let door: RestDoor;
    let sdk: ReturnType<RestDoor["sdk"]>;
    beforeAll(async () => {
      door = await openDoor(store.database, store.open());
      sdk = door.sdk();
    });
    beforeEach(async () => {
      door.forget();
      await door.set({ apiCalls: 0 });
      await sdk.Hive("garden").create();
    });
    afterAll(() => door.close());
    tests({
      ...store,
      hive: (name = "garden") => sdk.Hive(name),
      names: async () => sdk.Hive.getNames(),
      call: (...asked) => door.call(...asked),
      at: (rest) => `/${APP}/${CLIENT}/hive/garden${rest}`,
    });
  });
