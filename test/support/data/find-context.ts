import { beforeAll } from "vitest";
import { testDatabase } from "../setup/test-database.ts";
import { findRecords } from "../../../src/baas/data/query/index.ts";
import {
  createCaller,
  catalogue,
  insertRecords,
  createSampleTables,
  SAMPLE_TABLES,
} from "./sample-tables.ts";

export const database = await testDatabase();
export const engine = { db: database.db, catalogue };
export const mira = createCaller("mira");
export const getTable = (name: string) => SAMPLE_TABLES.get(name)!;

export const DAY_START = Date.UTC(2015, 2, 23);
const createPoint = (lon: number, lat: number) => ({ type: "Point", coordinates: [lon, lat], srsId: 4326 });

beforeAll(async () => {
  await createSampleTables(database);
  await insertRecords(database, "Country", [
    { objectId: "de", name: "Germany" },
    { objectId: "us", name: "America" },
  ]);
  await insertRecords(database, "Address", [
    { objectId: "ny", city: "New York", country: ["us"], json: { decimals: [12.5] }, photo: "/a/ny.png" },
    { objectId: "be", city: "Berlin", country: ["de"], json: { decimals: [1] } },
    { objectId: "ha", city: "Hamburg", country: ["de"] },
    { objectId: "no", city: null },
  ]);
  await insertRecords(database, "Diary", [
    { objectId: "d1", ownerId: "mira", text: "mine" },
    { objectId: "d2", ownerId: "tomas", text: "his" },
  ]);
  await insertRecords(database, "Person", [
    {
      objectId: "a",
      name: "Joe",
      age: 20,
      price: 60,
      quantity: 2,
      open: true,
      birthDate: new Date(DAY_START),
      profile: { age: 31, address: { city: "New York" }, decimals: [12.5] },
      point: createPoint(180, 90),
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
      birthDate: new Date(DAY_START + 86_400_000),
      profile: { age: 29, timeMarks: { date: "2015-07-29" } },
      point: createPoint(5, 5),
      ownerId: "tomas",
      mail: "jane@example.org",
      address: ["ha", "be"],
      home: ["be"],
      diary: ["d2"],
    },
    {
      objectId: "c",
      name: "Charlie's Angels",
      age: 30,
      price: 1,
      quantity: null,
      open: true,
      address: ["no"],
    },
    { objectId: "d", name: null, age: null },
  ]);
  await insertRecords(database, "PhoneBook", [
    { objectId: "X", title: "Mine", contacts: ["a", "c"] },
    { objectId: "Y", title: "Other", contacts: ["b"] },
  ]);
  await insertRecords(database, "Vault", [{ objectId: "v", gold: 7, keepers: ["a"] }]);
});

export const findSortedIds = async (where: string, caller = mira) =>
  (await findRecords(engine, caller, getTable("Person"), { where, sortBy: "objectId", pageSize: 100 }))
    .map(({ objectId }) => objectId)
    .join("");
