import { expect, test } from "vitest";
import { many, one, sql } from "#platform/database";
import { testDatabase } from "../../../../test/setup/database.ts";
import { reading } from "./adapters.fixture.ts";

const database = await testDatabase();
const { db } = database;
const { bring, write, posts, remarks } = reading(database, "mbox");

const mail = (head: Record<string, string>, body: string) =>
  `From x Mon Mar  4 10:00:00 2019\r\n${Object.entries(head)
    .map(([key, value]) => `${key}: ${value}`)
    .join("\r\n")}\r\n\r\n${body}\r\n\r\n`;
const FIRST = mail(
  {
    From: "=?utf-8?q?Zo=C3=AB?= <zoe@example.org>",
    Subject: "[garden] When to sow?",
    "Message-ID": "<1@x>",
    Date: "Mon, 4 Mar 2019 10:00:00 +0100",
    "List-Id": '"Garden talk" <garden.example.org>',
    "Content-Type": "text/plain; charset=iso-8859-1",
    "Content-Transfer-Encoding": "quoted-printable",
  },
  "Gr=FC=DFe, write to zoe@example.org.\r\n\r\n>From here on it is cold.\r\n-- \r\nZoe, 12 Bean Street",
);
const REPLY = mail(
  {
    From: "Kim <KIM@example.org>",
    Subject: "Re: [garden] When to sow?",
    "Message-ID": "<2@x>",
    "In-Reply-To": "<1@x>",
    References: "<0@x> <1@x>",
    Date: "Mon, 4 Mar 2019 11:00:00 +0100",
    "Content-Type": "text/html; charset=utf-8",
  },
  "<p>In <b>May</b>.</p><script>x()</script>",
);
const QUOTING = mail(
  {
    From: "zoe@example.org",
    Subject: "Re: When to sow?",
    "Message-ID": "<3@x>",
    "In-Reply-To": "<2@x>",
    Date: "Mon, 4 Mar 2019 12:00:00 +0100",
  },
  "On Monday, Kim <kim@example.org> wrote:\r\n> In May.\r\nThank you.",
);
const LOST = mail(
  { From: "Noor <noor@example.org>", Subject: "AW: When to sow?", "Message-ID": "<4@x>", "In-Reply-To": "<9@x>", Date: "rubbish" },
  "By its subject.",
);
const OTHER = mail(
  {
    From: "Kim <kim@example.org>",
    Subject: "When to sow?",
    "Message-ID": "<5@x>",
    Date: "Tue, 5 Mar 2019 11:00:00 +0100",
    "MIME-Version": "1.0",
    "Content-Type": 'multipart/mixed; boundary="b"',
  },
  '--b\r\nContent-Type: text/plain\r\n\r\nAnother year.\r\n--b\r\nContent-Type: image/png; name="bed.png"\r\nContent-Disposition: attachment; filename="bed.png"\r\n\r\nxxx\r\n--b--',
);

test("a list arrives: threads by what they answer, else by subject; encodings read, quotations kept, addresses hidden", async () => {
  const run = await bring(await write({ "garden.mbox": Buffer.from(FIRST + REPLY + QUOTING + LOST + OTHER, "latin1") }));
  expect(await posts()).toEqual([
    ["When to sow?", 1, "Zoë", null, "Grüße, write to zoe@….\n\nFrom here on it is cold."],
    ["When to sow?", 2, "Kim", 1, "In **May**."],
    ["When to sow?", 3, "Zoë", 2, "On Monday, Kim <kim@…> wrote:\n> In May.\n\nThank you."],
    ["When to sow?", 4, "Noor", 1, "By its subject."],
    ["When to sow?", 1, "Kim", null, "Another year."],
  ]);
  expect(await remarks(run)).toEqual([
    "garden.mbox message 2: Left out of its text: script.",
    "garden.mbox message 4: Its date cannot be read: it is given that of the message before.",
    "garden.mbox message 5: Left out: bed.png.",
  ]);
  expect(await one(db, sql`select name, visibility from groups`)).toEqual({ name: "Garden talk", visibility: "private" });
  expect(await many(db, sql`select g.email, p.username from ghosts g join people p on p.id = g.person_id order by 1`)).toEqual([
    { email: "kim@example.org", username: "kim" },
    { email: "noor@example.org", username: "noor" },
    { email: "zoe@example.org", username: "zoe" },
  ]);
  expect(JSON.stringify(await many(db, sql`select * from imported`))).not.toContain("@example.org");
});

test("what is no mbox is refused", async () => {
  await expect(bring(await write({ "notes.txt": "Dear diary" }))).rejects.toMatchObject({
    reason: "invalid",
    message: expect.stringContaining("no mbox"),
  });
  await expect(bring(await write({ "a.png": "x", "b.png": "y" }))).rejects.toMatchObject({ reason: "invalid" });
});
