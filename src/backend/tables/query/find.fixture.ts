import { beforeAll } from "vitest";
import { testDatabase } from "../../../../test/setup/database.ts";
import { findRecords } from "./index.ts";
import { callerNamed, catalogue, fill, makeTables, TABLES } from "./tables.fixture.ts";

export const database = await testDatabase();
export const engine = { db: database.db, catalogue };
export const mira = callerNamed("mira");
export const table = (name: string) => TABLES.get(name)!;

export const DAY = Date.UTC(2015, 2, 23);
const shape = (lon: number, lat: number) => ({ type: "Point", coordinates: [lon, lat], srsId: 4326 });

beforeAll(async () => {
  await makeTables(database);
  await fill(database, "Country", [
    { objectId: "de", name: "Germany" },
    { objectId: "us", name: "America" },
  ]);
  await fill(database, "Address", [
    { objectId: "ny", city: "New York", country: ["us"], json: { decimals: [12.5] }, photo: "/a/ny.png" },
    { objectId: "be", city: "Berlin", country: ["de"], json: { decimals: [1] } },
    { objectId: "ha", city: "Hamburg", country: ["de"] },
    { objectId: "no", city: null },
  ]);
  await fill(database, "Diary", [
    { objectId: "d1", ownerId: "mira", text: "mine" },
    { objectId: "d2", ownerId: "tomas", text: "his" },
  ]);
  await fill(database, "Person", [
    {
      objectId: "a",
      name: "Joe",
      age: 20,
      price: 60,
      quantity: 2,
      open: true,
      birthDate: new Date(DAY),
      profile: { age: 31, address: { city: "New York" }, decimals: [12.5] },
      point: shape(180, 90),
      secret: "x",
      ownerId: "mira",
      mail: "joe@example.org",
      address: ["ny", "be"],
      home: ["ny"],
      diary: ["d1", "d2"],
    },
    {
      objectId: "b",
      name: "Jane",
      age: 30,
      price: 10,
      quantity: 3,
      open: false,
      birthDate: new Date(DAY + 86_400_000),
      profile: { age: 29, timeMarks: { date: "2015-07-29" } },
      point: shape(5, 5),
      ownerId: "tomas",
      mail: "jane@example.org",
      address: ["ha", "be"],
      home: ["be"],
      diary: ["d2"],
    },
    { objectId: "c", name: "Charlie's Angels", age: 30, price: 1, quantity: null, open: true, address: ["no"] },
    { objectId: "d", name: null, age: null },
  ]);
  await fill(database, "PhoneBook", [
    { objectId: "X", title: "Mine", contacts: ["a", "c"] },
    { objectId: "Y", title: "Other", contacts: ["b"] },
  ]);
  await fill(database, "Vault", [{ objectId: "v", gold: 7, keepers: ["a"] }]);
});

export const ids = async (where: string, caller = mira) =>
  (await findRecords(engine, caller, table("Person"), { where, sortBy: "objectId", pageSize: 100 }))
    .map(({ objectId }) => objectId)
    .join("");
