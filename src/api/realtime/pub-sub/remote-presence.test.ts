import { describe, expect, test } from "vitest";
import { RemotePresence } from "./remote-presence.ts";

const ann = { channel: "garden", connectionId: "1", userId: "ann" };
const ben = { channel: "garden", connectionId: "2", userId: "ben" };

describe("presence in other processes", () => {
  test("reports each arrival, user change and departure once", () => {
    const elsewhere = new RemotePresence();
    const note = (status: "CONNECTED" | "DISCONNECTED" | "USERUPDATE", userId: string | null) =>
      elsewhere.note("p", { ...ann, userId, status }, 0)?.status ?? null;
    expect([
      note("CONNECTED", "ann"),
      note("CONNECTED", "ann"),
      note("USERUPDATE", null),
      note("USERUPDATE", null),
    ]).toEqual(["CONNECTED", null, "USERUPDATE", null]);
    expect([note("DISCONNECTED", null), note("DISCONNECTED", null)]).toEqual(["DISCONNECTED", null]);
  });

  test("replaces the list of a process when the counts differ", () => {
    const elsewhere = new RemotePresence();
    elsewhere.note("p", { ...ann, status: "CONNECTED" }, 0);
    expect([elsewhere.agrees("p", 1, 0), elsewhere.agrees("p", 2, 0), elsewhere.agrees("q", 1, 0)]).toEqual([
      true,
      false,
      false,
    ]);
    expect(elsewhere.replace("p", [ben], 0)).toEqual([
      { ...ann, status: "DISCONNECTED" },
      { ...ben, status: "CONNECTED" },
    ]);
    expect([elsewhere.on("garden"), elsewhere.on("kitchen"), elsewhere.agrees("p", 1, 0)]).toEqual([
      [ben],
      [],
      true,
    ]);
  });

  test("removes the clients of a silent process", () => {
    const elsewhere = new RemotePresence();
    elsewhere.note("p", { ...ann, status: "CONNECTED" }, 0);
    elsewhere.note("q", { ...ben, status: "CONNECTED" }, 5_000);
    expect(elsewhere.removeSilent(10_000)).toEqual([]);
    expect(elsewhere.removeSilent(10_001)).toEqual([{ ...ann, status: "DISCONNECTED" }]);
    expect(elsewhere.on("garden")).toEqual([ben]);
  });

  test("lists at most twenty thousand clients of one process", () => {
    const elsewhere = new RemotePresence();
    const many = Array.from({ length: 30_000 }, (_, n) => ({ ...ann, connectionId: String(n) }));
    elsewhere.replace("p", many, 0);
    expect([elsewhere.on("garden").length, elsewhere.agrees("p", 30_000, 0)]).toEqual([20_000, true]);
    expect(elsewhere.note("p", { ...ann, connectionId: "one more", status: "CONNECTED" }, 0)).toBeNull();
  });
});
