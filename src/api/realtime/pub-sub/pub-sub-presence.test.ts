import { describe, expect, test } from "vitest";
import { blockPerson } from "#community/friends";
import { updatePrivacy } from "#community/accounts";
import { run, sql } from "#platform/database";
import {
  database,
  within,
  sdkConnection,
  people,
  connectListener,
  userIdsOf,
} from "../../../../test/support/realtime/pub-sub-setup.ts";

describe("pub/sub presence", () => {
  test("lists present clients and reports arrivals, departures and user changes", async () => {
    const mira = await connectListener(people.mira);
    expect(mira.present).toEqual({
      status: "LISTING",
      data: [{ connectionId: mira.id, userId: people.mira.id }],
    });
    const tomas = await connectListener(people.tomas);
    expect(userIdsOf(tomas.present)).toEqual([people.mira.id, people.tomas.id].toSorted());
    expect(await mira.people.next()).toEqual({
      status: "CONNECTED",
      data: [{ connectionId: tomas.id, userId: people.tomas.id }],
    });
    tomas.app.UserService.setCurrentUser(null as never, false);
    expect(await mira.people.next()).toEqual({
      status: "USERUPDATE",
      data: [{ connectionId: tomas.id, userId: null }],
    });
    expect(await tomas.people.next()).toMatchObject({ status: "USERUPDATE" });
    (tomas.app.RT as unknown as { disconnect: () => void }).disconnect();
    expect(await mira.people.next()).toEqual({
      status: "DISCONNECTED",
      data: [{ connectionId: tomas.id, userId: null }],
    });
  });

  test("shows the user of a client only to people who may see that user", async () => {
    const shy = people.noor;
    await within((tx) => updatePrivacy(tx, shy, shy.id, { showOnline: false }));
    await within((tx) => blockPerson(tx, people.mira, { personId: people.tomas.id }));
    const [mira, tomas, noor, guest] = [
      await connectListener(people.mira),
      await connectListener(people.tomas),
      await connectListener(shy),
      await connectListener(people.guest),
    ];
    expect(userIdsOf(tomas.present)).toEqual([people.tomas.id, null].toSorted());
    expect(userIdsOf(noor.present)).toEqual([people.mira.id, people.tomas.id, shy.id].toSorted());
    expect(userIdsOf(guest.present)).toEqual([null, null, null, null]);
    expect([(await mira.people.next()).data, (await mira.people.next()).data]).toMatchObject([
      [{ userId: null }],
      [{ userId: null }],
    ]);
    await mira.send("wave");
    await noor.send("nod");
    const who = async ({ commands }: typeof mira) => [
      (await commands.next()).userId,
      (await commands.next()).userId,
    ];
    expect(await who(mira)).toEqual([people.mira.id, null]);
    expect(await who(tomas)).toEqual([null, null]);
    expect(await who(noor)).toEqual([people.mira.id, shy.id]);
    expect(await who(guest)).toEqual([null, null]);
  });

  test("shows no user once the user's session has ended", async () => {
    const mira = await connectListener(people.mira);
    const tomas = await connectListener(people.tomas);
    await mira.people.next();
    await run(database.db, sql`delete from sessions where id = ${tomas.app.session!.sessionId}`);
    sdkConnection.realtime.deliver({ type: "person.sessions-ended", personId: people.tomas.id }, "1", null);
    expect(await mira.people.next()).toMatchObject({ status: "USERUPDATE", data: [{ userId: null }] });
  });
});
